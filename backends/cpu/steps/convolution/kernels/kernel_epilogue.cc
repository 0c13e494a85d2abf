#include "dovetail/backends/cpu/steps/convolution/kernels/kernel_epilogue.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "dovetail/backends/cpu/onednn/epilogue/eltwise.h"

namespace dovetail::cpu {
namespace {

struct Limits {
  float low, high;
};

using Activation = IntegerEpilogue::Activation;

struct Function {
  Activation activation = Activation::kNone;  // another one
  float beta = 1;
};

Function FunctionOf(const Node& node) {
  const auto function = EltwiseOf(node);
  if (!function.has_value()) return {};
  switch (function->algorithm) {
    case dnnl::algorithm::eltwise_logistic:
      return {Activation::kSigmoid};
    case dnnl::algorithm::eltwise_swish:
      return {Activation::kSwish, function->alpha};
    case dnnl::algorithm::eltwise_hardswish:
      return {Activation::kHSwish};
    case dnnl::algorithm::eltwise_gelu_erf:
      return {Activation::kGelu};
    case dnnl::algorithm::eltwise_gelu_tanh:
      return {Activation::kGeluTanh};
    default:
      return {};
  }
}

// Reads operations in the order in which kernels compute them.
class Reader {
 public:
  Reader(const Epilogue& epilogue, const KernelEpilogueSupport& support)
      : epilogue_(epilogue), support_(support) {}

  KernelEpilogue Read() {
    if (support_.integers) ReadScale();
    ReadBias();
    if (support_.integers) ReadGrid();
    if (support_.inner_activation) ReadInnerActivation();
    if (support_.residual) ReadResidual();
    if (support_.activations) ReadActivation();
    ReadSlope();
    ReadLimits(result_.form.low, result_.form.high);
    if (support_.integers) ReadQuantization();
    result_.epilogue = epilogue_.First(at_);
    return std::move(result_);
  }

 private:
  template <typename Op>
  const Op* Next(size_t ahead = 0) const {
    return epilogue_.Find<Op>(at_ + ahead);
  }

  void ReadScale() {
    const auto* affine = Next<AffineOp>();
    if (affine == nullptr || !affine->IsScale()) return;
    result_.scale = affine->scale;
    ++at_;
  }

  void ReadBias() {
    const auto* affine = Next<AffineOp>();
    if (affine == nullptr || !affine->IsBias()) return;
    result_.bias = affine->shift;
    ++at_;
  }

  // FakeQuantize to floats, after limits. Limits of a number are those of what
  // it is rounded to.
  void ReadGrid() {
    const size_t begin = at_;
    Limits limits = {result_.form.low, result_.form.high};
    ReadLimits(limits.low, limits.high);
    const auto* quantize = Next<QuantizeOp>();
    if (quantize != nullptr && Next<StoreOp>(1) == nullptr &&
        SetGrid(*quantize, limits)) {
      ++at_;
    } else {
      at_ = begin;
    }
  }

  bool SetGrid(const QuantizeOp& quantize, const Limits& limits) {
    const auto scale = UniformValue(quantize.scale);
    const auto shift = UniformValue(quantize.shift);
    const auto step = UniformValue(quantize.step);
    const auto offset = UniformValue(quantize.offset);
    if (!scale || !shift || !step || !offset || !(*scale > 0)) return false;
    const auto rounded = [&](float limit) {
      return std::nearbyint(
          std::clamp(limit * *scale + *shift, 0.0f, quantize.steps));
    };
    result_.form.has_grid = true;
    result_.form.grid = {
        *scale, *shift, rounded(limits.low), rounded(limits.high),
        *step,  *offset};
    return true;
  }

  void ReadResidual() {
    const auto* residual = Next<ResidualOp>();
    if (residual == nullptr || !residual->node->Is("Add")) return;
    result_.residual = residual->value;
    result_.form.residual_type = residual->value.type();
    result_.form.residual_scale = residual->scale;
    result_.form.residual_shift = residual->shift;
    ++at_;
  }

  void ReadInnerActivation() {
    if (Next<ResidualOp>(1) != nullptr) ReadInnerSlope();
    const auto* op = Next<ActivationOp>();
    if (op == nullptr) return;
    const Function function = FunctionOf(*op->node);
    if (function.activation == Activation::kSwish ||
        function.activation == Activation::kHSwish) {
      SetFunction(function);
    }
  }

  void ReadInnerSlope() {
    if (const auto* slope = Next<SlopeOp>()) {
      result_.inner_slope = UniformValue(slope->slope);
    } else if (const auto* op = Next<ActivationOp>()) {
      if (op->node->Is("Relu")) result_.inner_slope = 0;
    }
    if (result_.inner_slope.has_value()) ++at_;
  }

  void ReadActivation() {
    const auto* op = Next<ActivationOp>();
    if (op == nullptr || result_.form.has_grid || result_.residual) return;
    SetFunction(FunctionOf(*op->node));
    const bool is_set = result_.form.activation != Activation::kNone;
    if (is_set && support_.rounded_activations) ReadGrid();
  }

  void SetFunction(const Function& function) {
    if (function.activation == Activation::kNone) return;
    result_.form.activation = function.activation;
    result_.form.beta = function.beta;
    ++at_;
  }

  void ReadSlope() {
    const auto* slope = Next<SlopeOp>();
    if (slope == nullptr || result_.form.activation != Activation::kNone) {
      return;
    }
    result_.slope = slope->slope;
    ++at_;
  }

  void ReadLimits(float& low, float& high) {
    while (const auto limits = NextLimits()) {
      low = std::max(low, limits->low);
      high = std::min(high, limits->high);
      ++at_;
    }
  }

  // Of a Clamp or a Relu.
  std::optional<Limits> NextLimits() const {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const auto* activation = Next<ActivationOp>();
    if (activation != nullptr && activation->node->Is("Relu")) {
      return Limits{0, kInfinity};
    }
    const auto* clamp = Next<ClampOp>();
    if (clamp == nullptr) return std::nullopt;
    const auto low = UniformValue(clamp->low), high = UniformValue(clamp->high);
    if (!low || !high || *low > 0 || *high < 0) return std::nullopt;
    return Limits{*low, *high};
  }

  // To the whole numbers from `output_low` to `output_high`.
  void ReadQuantization() {
    const auto* quantize = Next<QuantizeOp>();
    const auto* store = Next<StoreOp>(1);
    if (quantize == nullptr || store == nullptr) return;
    const float low = quantize->offset.front();
    result_.output_scale = quantize->scale;
    result_.output_shift = quantize->shift;
    for (float& shift : result_.output_shift) shift += low;
    result_.form.output_type = store->type;
    result_.form.output_low = low;
    result_.form.output_high = low + quantize->steps;
    at_ += 2;
  }

  const Epilogue& epilogue_;
  const KernelEpilogueSupport& support_;
  size_t at_ = 0;
  KernelEpilogue result_;
};

}  // namespace

KernelEpilogue FindKernelEpilogue(Value anchor,
                                  const KernelEpilogueSupport& support,
                                  const PlanBuilder& builder) {
  EpilogueSupport operations;
  operations.takes_activation = [](const Node& node) {
    return node.Is("Relu") || FunctionOf(node).activation != Activation::kNone;
  };
  operations.takes_integer_residuals = support.integers;
  operations.stores_integers = support.integers;
  const Epilogue epilogue = FindEpilogue(
      anchor, operations, [&](Value value) { return builder.IsReady(value); });
  return Reader(epilogue, support).Read();
}

}  // namespace dovetail::cpu
