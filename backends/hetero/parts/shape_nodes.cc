#include "dovetail/backends/hetero/parts/shape_nodes.h"

#include <cstdint>

#include "absl/algorithm/container.h"
#include "dovetail/core/graph/structural.h"

namespace dovetail::hetero {
namespace {

// As many as coordinates of some boxes: more than shapes are made of.
constexpr int64_t kFew = 64;
constexpr ElementTypeSet kExact =
    kIntegerTypes | ElementTypeSet{ElementType::kBoolean};

bool IsFewIntegers(const Node& node) {
  for (int i = 0; i < node.output_count(); ++i) {
    const OutputPort& port = node.port(i);
    const Dimension count = port.shape.ElementCount();
    if (!kExact.Contains(port.type) || !count.is_static() ||
        count.value() > kFew) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::unordered_set<const Node*> ShapeNodes(const std::vector<Node*>& order) {
  std::unordered_set<const Node*> nodes, constants;
  const auto is_constant = [&](Value input) {
    return !input || input.node->As<ConstantAttributes>() != nullptr ||
           constants.count(input.node) > 0;
  };
  const auto is_known = [&](Value input) {
    return is_constant(input) || nodes.count(input.node) > 0;
  };
  constexpr uint32_t kHarmless = kReadsOnlyShape | kCommutative;
  for (const Node* node : order) {
    if ((node->op().traits & ~kHarmless) != 0 || !node->bodies().empty() ||
        !node->op().custom_opset.empty()) {
      continue;
    }
    if (absl::c_all_of(node->inputs(), is_constant)) {
      constants.insert(node);
      nodes.insert(node);
    } else if (IsFewIntegers(*node) &&
               (node->op().Has(kReadsOnlyShape) ||
                absl::c_all_of(node->inputs(), is_known))) {
      nodes.insert(node);
    }
  }
  return nodes;
}

}  // namespace dovetail::hetero
