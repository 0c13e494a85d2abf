#include "dovetail/core/plugin/execution_info.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/core/graph/fused_names.h"

namespace dovetail {
namespace {

std::string OutputPrecisions(const Node& node) {
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
  rt_info.Set({"outputPrecisions"}, OutputPrecisions(node));
  const std::pair<absl::string_view, const std::string&> known[] = {
      {"primitiveType", info.kernel},
      {"runtimePrecision", info.precision},
      {"outputLayouts", info.layouts},
      {"executionDevice", info.device},
  };
  for (const auto& [key, text] : known) {
    if (!text.empty()) rt_info.Set({key}, text);
  }
}

}  // namespace

std::unique_ptr<Model> DescribeExecution(
    const Model& model, absl::FunctionRef<ExecutionInfo(const Node&)> info) {
  std::unique_ptr<Model> copy = model.Clone();
  const auto order = model.TopologicalOrder();
  if (!order.ok() || copy->nodes().size() != model.nodes().size()) return copy;
  // A clone has its nodes in the order of the original's.
  std::map<const Node*, Node*> copies;
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    copies[model.nodes()[i].get()] = copy->nodes()[i].get();
  }
  for (size_t i = 0; i < order->size(); ++i) {
    Describe(info(*(*order)[i]), i, *copies[(*order)[i]]);
  }
  return copy;
}

}  // namespace dovetail
