#include "dovetail/backends/cpu/steps/linear/weights/weight_expression.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/reference/evaluate.h"

namespace dovetail::cpu {
namespace {

// The longest way from a constant to the product.
constexpr int kMaxNodes = 8;

bool IsPart(const Node& node) {
  return node.Is("Convert") || node.Is("Subtract") || node.Is("Multiply") ||
         node.Is("Reshape");
}

bool IsExpression(Value value, int depth) {
  if (!value) return false;
  if (PlanBuilder::IsConstant(value)) return true;
  if (depth == 0 || !IsPart(*value.node)) return false;
  const auto& inputs = value.node->inputs();
  return std::all_of(inputs.begin(), inputs.end(), [&](Value input) {
    return IsExpression(input, depth - 1);
  });
}

// Adds its constants, in order, and what is done with them. Nodes that change
// type or shape say to what; the others follow from what they read.
void AddToKey(Value value, PackingKey& key) {
  if (const Tensor* constant = PlanBuilder::PackableConstantOf(value)) {
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

bool IsEmpty(Value value) { return PlanBuilder::ShapeOf(value).Count() == 0; }

// Products without elements, as of a batch of none, are left to the reference
// kernels, which read all of their inputs.
bool IsProductOfFloats(const Node& node) {
  return node.Is("MatMul") && node.port().type == ElementType::kF32 &&
         node.input(0).type() == ElementType::kF32 && !IsEmpty(node.input(0)) &&
         !IsEmpty(PlanBuilder::OutputOf(node));
}

bool IsOnlyForProducts(const Node& node, int depth) {
  const auto& uses = node.port().uses;
  return depth > 0 && !uses.empty() &&
         std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
           const Node& reader = *use.node;
           if (IsProductOfFloats(reader)) return use.input == 1;
           return IsPart(reader) &&
                  IsWeightExpression(PlanBuilder::OutputOf(reader)) &&
                  IsOnlyForProducts(reader, depth - 1);
         });
}

}  // namespace

bool IsWeightExpression(Value value) { return IsExpression(value, kMaxNodes); }

absl::StatusOr<Tensor> EvaluateWeights(Value value) {
  if (const Tensor* constant = PlanBuilder::ConstantOf(value)) {
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

absl::StatusOr<bool> EmitWeightExpression(const Node& node,
                                          PlanBuilder& builder) {
  (void)builder;
  return IsWeightExpression(PlanBuilder::OutputOf(node)) &&
         IsOnlyForProducts(node, kMaxNodes);
}

}  // namespace dovetail::cpu
