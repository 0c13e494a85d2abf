#include "dovetail/backends/cpu/steps/common/integer_operands.h"

#include <cmath>

#include "dovetail/core/ops/elementwise/convert.h"
#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

namespace dovetail::cpu {
namespace {

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

// Whether each channel of a convolution is one of its groups.
bool IsDepthwise(const Node& linear) {
  if (!linear.Is("GroupConvolution")) return false;
  const PartialShape& weights = linear.input(1).shape();
  return weights.rank_known() && weights[1] == Dimension(1) &&
         weights[2] == Dimension(1);
}

// Sets the zero points of `linear` by what is subtracted. False: they are none.
bool SetZeroPoints(const Node& linear, const Node& subtract,
                   IntegerOperands& operands) {
  const Value data = subtract.input(0), constant = subtract.input(1);
  if (PlanBuilder::ConstantOf(constant) == nullptr ||
      !data.shape().rank_known()) {
    return false;
  }
  const auto numbers = ChannelNumbers(constant, data.shape().rank());
  if (!numbers.has_value()) return false;
  if (numbers->size() > 1 && !IsDepthwise(linear)) return false;
  for (const float number : *numbers) {
    if (number != std::trunc(number) || std::abs(number) > 255) return false;
    operands.zero_points.push_back(static_cast<int32_t>(number));
  }
  operands.zero_point = operands.zero_points[0];
  if (numbers->size() == 1) operands.zero_points.clear();
  return true;
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
    if (!SetZeroPoints(linear, *data.node, operands)) return std::nullopt;
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
