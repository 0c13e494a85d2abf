#include "dovetail/tools/comparing/layer_outputs.h"

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/structural/structural.h"

namespace dovetail::comparing {
namespace {

constexpr int64_t kFewElements = 64;

// A clone has its nodes in the order of the original's.
struct Copy {
  std::unique_ptr<Model> model;
  std::unordered_map<const Node*, Node*> nodes;

  explicit Copy(const Model& of) : model(of.Clone()) {
    for (size_t i = 0; i < of.nodes().size(); ++i) {
      nodes[of.nodes()[i].get()] = model->nodes()[i].get();
    }
  }
  Value Of(Value value) const { return {nodes.at(value.node), value.index}; }
};

bool IsComparable(const Node& node) {
  return !node.op().Has(kStructural) && !node.op().Has(kHasSideEffect) &&
         !node.op().Has(kReadsState) && !node.op().Has(kNondeterministic);
}

bool IsSmallInteger(const Tensor& tensor) {
  return IsInteger(tensor.type()) && !IsSubByte(tensor.type()) &&
         tensor.rank() <= 1 && tensor.element_count() <= kFewElements;
}

// What stands for a computed value: a parameter or a constant.
absl::StatusOr<Value> StandIn(const Tensor& tensor, const std::string& name,
                              CutModel& cut) {
  if (IsSmallInteger(tensor)) {
    DOVETAIL_ASSIGN_OR_RETURN(Node * constant,
                              AddConstant(*cut.model, tensor, name));
    return constant->output();
  }
  DOVETAIL_ASSIGN_OR_RETURN(Node * parameter,
                            AddParameter(*cut.model, tensor.type(),
                                         PartialShape(tensor.shape()), name));
  cut.inputs.push_back(tensor);
  return parameter->output();
}

}  // namespace

std::vector<Value> LayerOutputs(const Model& model) {
  std::vector<Value> outputs;
  const auto order = model.TopologicalOrder();
  if (!order.ok()) return outputs;
  std::unordered_set<const Node*> depend;
  for (Node* node : *order) {
    bool depends = node->As<ParameterAttributes>() != nullptr ||
                   node->op().Has(kReadsState) ||
                   node->op().Has(kNondeterministic);
    for (const Value& input : node->inputs()) {
      depends |= input.node != nullptr && depend.count(input.node) > 0;
    }
    if (!depends) continue;
    depend.insert(node);
    if (!IsComparable(*node)) continue;
    for (int i = 0; i < node->output_count(); ++i) {
      if (!node->port(i).uses.empty()) outputs.push_back(node->output(i));
    }
  }
  return outputs;
}

absl::StatusOr<std::unique_ptr<Model>> WithResults(
    const Model& model, absl::Span<const Value> outputs) {
  Copy copy(model);
  for (const Value& output : outputs) {
    DOVETAIL_RETURN_IF_ERROR(AddResult(*copy.model, copy.Of(output)).status());
  }
  return std::move(copy.model);
}

absl::StatusOr<CutModel> CutApart(const Model& model,
                                  absl::Span<const Value> outputs,
                                  absl::Span<const Tensor> values,
                                  absl::Span<const Tensor> inputs) {
  Copy copy(model);
  CutModel cut;
  cut.model = std::move(copy.model);
  cut.inputs.assign(inputs.begin(), inputs.end());
  const std::vector<Node*> results = cut.model->results();
  for (Node* result : results) cut.model->RemoveNode(result);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Value computed = copy.Of(outputs[i]);
    const std::string name =
        absl::StrCat(outputs[i].node->name(), "/cut_", outputs[i].index);
    DOVETAIL_ASSIGN_OR_RETURN(const Value stand_in,
                              StandIn(values[i], name, cut));
    cut.model->ReplaceUses(computed, stand_in);
  }
  DOVETAIL_RETURN_IF_ERROR(cut.model->Infer());
  for (const Value& output : outputs) {
    DOVETAIL_RETURN_IF_ERROR(AddResult(*cut.model, copy.Of(output)).status());
  }
  return cut;
}

}  // namespace dovetail::comparing
