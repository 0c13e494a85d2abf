#include "dovetail/core/plugin/execution_info.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/graph/fused_names.h"

namespace dovetail {
namespace {

std::string OutputTypes(const Node& node) {
  std::vector<absl::string_view> types;
  for (int i = 0; i < node.output_count(); ++i) {
    types.push_back(ElementTypeName(node.port(i).type));
  }
  return absl::StrJoin(types, ",");
}

void Describe(const ExecutionInfo& info, size_t order, Node& node) {
  RtInfo& rt_info = node.rt_info();
  rt_info.Set({"layerType"}, node.op().type);
  rt_info.Set({"execOrder"}, absl::StrCat(order));
  rt_info.Set({"originalLayersNames"}, JoinFusedNames(FusedNames(node)));
  rt_info.Set({"outputPrecisions"},
              info.types.empty() ? OutputTypes(node) : info.types);
  const std::pair<absl::string_view, const std::string&> known[] = {
      {"primitiveType", info.kernel},  {"runtimePrecision", info.precision},
      {"outputLayouts", info.layouts}, {"executionDevice", info.device},
      {"fusedInto", info.fused_into},  {"declinedKernels", info.declined},
  };
  for (const auto& [key, text] : known) {
    if (!text.empty()) rt_info.Set({key}, text);
  }
}

struct Described {
  const Node* node;
  ExecutionInfo info;
};

// In the device's order as far as it has one, else in that of the graph.
void SortByOrder(std::vector<Described>& nodes) {
  int64_t last = -1;
  for (Described& described : nodes) {
    int64_t& order = described.info.order;
    last = order = order < 0 ? last : order;
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const Described& a, const Described& b) {
                     return a.info.order < b.info.order;
                   });
}

}  // namespace

std::unique_ptr<Model> DescribeExecution(
    const Model& model, absl::FunctionRef<ExecutionInfo(const Node&)> info) {
  std::unique_ptr<Model> copy = model.Clone();
  const auto order = model.TopologicalOrder();
  if (!order.ok() || copy->nodes().size() != model.nodes().size()) return copy;
  // A clone has its nodes in the order of the original's.
  std::unordered_map<const Node*, Node*> copies;
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    copies[model.nodes()[i].get()] = copy->nodes()[i].get();
  }
  std::vector<Described> nodes;
  for (const Node* node : *order) nodes.push_back({node, info(*node)});
  SortByOrder(nodes);
  for (size_t i = 0; i < nodes.size(); ++i) {
    Describe(nodes[i].info, i, *copies[nodes[i].node]);
  }
  return copy;
}

}  // namespace dovetail
