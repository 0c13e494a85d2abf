#include "dovetail/backends/common/linear/weight_expression.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/evaluate.h"

namespace dovetail {
namespace {

// The longest way from a constant to the product.
constexpr int kMaxNodes = 8;

bool IsPart(const Node& node) {
  return node.Is("Convert") || node.Is("Subtract") || node.Is("Multiply") ||
         node.Is("Reshape");
}

bool IsExpression(Value value, int depth) {
  if (!value) return false;
  if (PlanBuilderBase::IsConstant(value)) return true;
  if (depth == 0 || !IsPart(*value.node)) return false;
  const auto& inputs = value.node->inputs();
  return std::all_of(inputs.begin(), inputs.end(), [&](Value input) {
    return IsExpression(input, depth - 1);
  });
}

// Adds its constants, in order, and what is done with them. Nodes that change
// type or shape say to what; the others follow from what they read.
void AddToKey(Value value, PackingKey& key) {
  if (const Tensor* constant = PlanBuilderBase::PackableConstantOf(value)) {
    key.constants.push_back(*constant);
    key.form += "_";
    return;
  }
  absl::StrAppend(&key.form, value.node->op().type, "-",
                  value.node->op().version, ElementTypeName(value.type()),
                  value.shape().ToString(), "(");
  for (const Value input : value.node->inputs()) {
    AddToKey(input, key);
    key.form += ",";
  }
  key.form += ")";
}

using TakesFn = std::function<bool(const Node& product)>;

bool IsRead(const Node& node, const TakesFn& takes, int depth) {
  const auto& uses = node.port().uses;
  return depth > 0 && !uses.empty() &&
         std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
           const Node& reader = *use.node;
           if (!IsPart(reader)) return use.input == 1 && takes(reader);
           return IsWeightExpression(PlanBuilderBase::OutputOf(reader)) &&
                  IsRead(reader, takes, depth - 1);
         });
}

}  // namespace

bool IsWeightExpression(Value value) { return IsExpression(value, kMaxNodes); }

absl::StatusOr<Tensor> EvaluateWeights(Value value) {
  if (const Tensor* constant = PlanBuilderBase::ConstantOf(value)) {
    return *constant;
  }
  std::vector<Tensor> inputs;
  for (const Value input : value.node->inputs()) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, EvaluateWeights(input));
    inputs.push_back(std::move(tensor));
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<Tensor> outputs,
      EvaluateNode(*value.node, inputs, KernelEnvironment()));
  return outputs[value.index];
}

PackingKey WeightKey(Value value) {
  PackingKey key("", std::vector<Tensor>());
  AddToKey(value, key);
  return key;
}

bool IsOnlyForProducts(const Node& node, const TakesFn& takes) {
  return IsWeightExpression(PlanBuilderBase::OutputOf(node)) &&
         IsRead(node, takes, kMaxNodes);
}

}  // namespace dovetail
