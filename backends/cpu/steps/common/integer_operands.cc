#include "dovetail/backends/cpu/steps/common/integer_operands.h"

#include <cmath>

#include "dovetail/core/ops/elementwise/convert.h"

namespace dovetail::cpu {
namespace {

bool IsByte(ElementType type) {
  return type == ElementType::kU8 || type == ElementType::kI8;
}

bool IsLinear(const Node& node) {
  return IsConvolution(node) || node.Is("MatMul");
}

// The integers that are converted to f32; empty: not that.
Value Converted(Value value) {
  const Node& node = *value.node;
  if (!node.Is("Convert") || value.type() != ElementType::kF32 ||
      !IsByte(node.input(0).type())) {
    return {};
  }
  return node.input(0);
}

// A constant of one whole number.
std::optional<int32_t> WholeNumber(Value value) {
  const Tensor* tensor = PlanBuilder::ConstantOf(value);
  if (tensor == nullptr || tensor->element_count() != 1) return std::nullopt;
  const double number = tensor->ElementAsDouble(0);
  if (number != std::trunc(number) || std::abs(number) > 255) return {};
  return static_cast<int32_t>(number);
}

}  // namespace

bool IsConvolution(const Node& node) {
  return node.Is("Convolution") || node.Is("GroupConvolution") ||
         node.Is("ConvolutionBackpropData") ||
         node.Is("GroupConvolutionBackpropData");
}

std::optional<IntegerOperands> IntegerOperandsOf(const Node& linear) {
  if (!IsLinear(linear)) return std::nullopt;
  IntegerOperands operands;
  Value data = linear.input(0);
  if (data.node->Is("Subtract")) {
    const auto zero_point = WholeNumber(data.node->input(1));
    if (!zero_point.has_value()) return std::nullopt;
    operands.zero_point = *zero_point;
    data = data.node->input(0);
  }
  operands.data = Converted(data);
  operands.weights = Converted(linear.input(1));
  if (!operands.data || !operands.weights ||
      operands.weights.type() != ElementType::kI8) {
    return std::nullopt;
  }
  const Tensor* weights = PlanBuilder::PackableConstantOf(operands.weights);
  if (weights == nullptr ? IsConvolution(linear) : !weights->is_contiguous()) {
    return std::nullopt;
  }
  return operands;
}

absl::StatusOr<bool> EmitWidening(const Node& node, PlanBuilder& builder) {
  const Value value = PlanBuilder::OutputOf(node);
  if (!Converted(value)) return false;
  bool wanted = false;
  for (const Use& use : value.port().uses) {
    wanted |= IsLinear(*use.node);
    if (!use.node->Is("Subtract") || use.input != 0) continue;
    for (const Use& next : use.node->port().uses) {
      wanted |= IsLinear(*next.node);
    }
  }
  if (!wanted) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand operand, builder.Read(node.input(0)));
  builder.View(value, operand, 0, operand.format);
  return true;
}

}  // namespace dovetail::cpu
