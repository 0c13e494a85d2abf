#include "dovetail/backends/hetero/assign/shape_devices.h"

#include <utility>

#include "dovetail/backends/hetero/parts/shape_nodes.h"

namespace dovetail::hetero {
namespace {

using Nodes = std::unordered_set<const Node*>;

// The one device of all readers; "" where there are several, or a result is one
// of them.
std::string DeviceOfReaders(const Node& node, const Assignment& devices) {
  std::string only;
  for (int i = 0; i < node.output_count(); ++i) {
    for (const Use& use : node.port(i).uses) {
      const auto it = devices.find(use.node);
      if (it == devices.end()) return "";
      if (!only.empty() && it->second != only) return "";
      only = it->second;
    }
  }
  return only;
}

// Whether the device computes the value or reads its elements.
bool IsOn(const std::string& device, Value value, const Nodes& shape_nodes,
          const Assignment& devices) {
  const auto is_of = [&](const Node* node) {
    const auto it = devices.find(node);
    return it != devices.end() && it->second == device;
  };
  if (is_of(value.node)) return true;
  for (const Use& use : value.port().uses) {
    if (is_of(use.node) && shape_nodes.count(use.node) == 0) return true;
  }
  return false;
}

}  // namespace

void MoveShapeNodes(
    const std::vector<Node*>& order,
    const std::function<bool(const Node&, const std::string&)>& may_move,
    Assignment& devices) {
  const Nodes shape_nodes = ShapeNodes(order);
  const Assignment before = devices;
  // Readers first, so that what they read follows.
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const Node& node = **it;
    if (shape_nodes.count(&node) == 0) continue;
    const std::string device = DeviceOfReaders(node, devices);
    if (device.empty() || device == devices.at(&node)) continue;
    if (node.op().Has(kReadsOnlyShape) &&
        !IsOn(device, node.input(0), shape_nodes, devices)) {
      continue;
    }
    if (may_move(node, device)) devices[&node] = device;
  }
  // Where not all could follow, the last value crosses and not those before.
  for (const Node* node : order) {
    if (shape_nodes.count(node) == 0 || node->op().Has(kReadsOnlyShape)) {
      continue;
    }
    for (const Value input : node->inputs()) {
      if (shape_nodes.count(input.node) == 0) continue;
      if (devices.at(input.node) != devices.at(node)) {
        devices[node] = before.at(node);
      }
    }
  }
}

}  // namespace dovetail::hetero
