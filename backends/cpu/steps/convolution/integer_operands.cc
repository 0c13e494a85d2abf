#include "dovetail/backends/cpu/steps/convolution/integer_operands.h"

#include <algorithm>
#include <cmath>

#include "dovetail/core/ops/elementwise/convert.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {
namespace {

bool IsByte(ElementType type) {
  return type == ElementType::kU8 || type == ElementType::kI8;
}

bool IsConvolution(const Node& node) {
  return node.Is("Convolution") || node.Is("GroupConvolution") ||
         node.Is("ConvolutionBackpropData") ||
         node.Is("GroupConvolutionBackpropData");
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

bool HasDotProducts() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::sse41:
    case dnnl::cpu_isa::avx:
    case dnnl::cpu_isa::avx2:
    case dnnl::cpu_isa::avx512_core:
      return false;
    default:
      return true;
  }
}

// Whether no sum of two products leaves 16 bits, for any u8 data. `inner`:
// elements of one input channel; neighbouring channels are added.
bool PairsFit(const int8_t* weights, int64_t outputs, int64_t inputs,
              int64_t inner) {
  constexpr int kMax = 32767 / 255, kMin = -32768 / 255;
  for (int64_t o = 0; o < outputs; ++o, weights += inputs * inner) {
    for (int64_t i = 0; i + 1 < inputs; i += 2) {
      const int8_t* a = weights + i * inner;
      const int8_t* b = a + inner;
      for (int64_t k = 0; k < inner; ++k) {
        const int high = std::max<int>(a[k], 0) + std::max<int>(b[k], 0);
        const int low = std::min<int>(a[k], 0) + std::min<int>(b[k], 0);
        if (high > kMax || low < kMin) return false;
      }
    }
  }
  return true;
}

// Signed data would be shifted to unsigned and the weights halved, which is
// exact for even ones only.
bool IsExact(const Node& node, ElementType data, const Tensor& weights) {
  if (HasDotProducts()) return true;
  if (data == ElementType::kI8) return false;
  if (!node.Is("Convolution") && !node.Is("GroupConvolution")) return false;
  const Shape& shape = weights.shape();
  const int outputs = node.Is("GroupConvolution") ? 2 : 1;
  return PairsFit(weights.data<int8_t>(), shape.Count(0, outputs),
                  shape[outputs], shape.Count(outputs + 1, shape.rank()));
}

}  // namespace

std::optional<IntegerOperands> IntegerOperandsOf(const Node& convolution) {
  if (!IsConvolution(convolution)) return std::nullopt;
  IntegerOperands operands;
  Value data = convolution.input(0);
  if (data.node->Is("Subtract")) {
    const auto zero_point = WholeNumber(data.node->input(1));
    if (!zero_point.has_value()) return std::nullopt;
    operands.zero_point = *zero_point;
    data = data.node->input(0);
  }
  operands.data = Converted(data);
  operands.weights = Converted(convolution.input(1));
  if (!operands.data || !operands.weights) return std::nullopt;
  const Tensor* weights = PlanBuilder::ConstantOf(operands.weights);
  if (weights == nullptr || weights->type() != ElementType::kI8 ||
      !weights->is_contiguous() ||
      !IsExact(convolution, operands.data.type(), *weights)) {
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
