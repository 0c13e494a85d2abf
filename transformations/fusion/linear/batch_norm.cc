#include <cmath>

#include "dovetail/core/ops/normalization/batch_norm.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

std::optional<std::vector<double>> Numbers(Value value) {
  const Tensor* tensor = ConstantOf(value);
  if (tensor == nullptr || !IsFloatValue(value)) return std::nullopt;
  return ToDoubleVector(*tensor);
}

// gamma * (x - mean) / sqrt(variance + eps) + beta = x * scale + shift.
Replacement BatchNorm(NodeBuilder& b, const Node& node) {
  const BatchNormInputs at = BatchNormInputsOf(node.op());
  const Value x = node.input(at.data);
  const auto gamma = Numbers(node.input(at.gamma));
  const auto beta = Numbers(node.input(at.beta));
  const auto mean = Numbers(node.input(at.mean));
  const auto variance = Numbers(node.input(at.variance));
  const auto* attributes = node.As<BatchNormAttributes>();
  if (!gamma || !beta || !mean || !variance || attributes == nullptr ||
      !x.shape().rank_known() || x.shape().rank() < 2 || !IsFloatValue(x)) {
    return {};
  }
  std::vector<double> scale, shift;
  for (size_t i = 0; i < gamma->size(); ++i) {
    scale.push_back((*gamma)[i] /
                    std::sqrt((*variance)[i] + attributes->epsilon));
    shift.push_back((*beta)[i] - (*mean)[i] * scale[i]);
    if (!std::isfinite(scale[i]) || !std::isfinite(shift[i])) return {};
  }
  Shape shape = Shape::Filled(x.shape().rank(), 1);
  shape[1] = static_cast<int64_t>(scale.size());
  const auto factors = Tensor::FromDoubles(x.type(), shape, scale);
  const auto terms = Tensor::FromDoubles(x.type(), shape, shift);
  if (!factors.ok() || !terms.ok()) return {};
  return {b.Add(b.Multiply(x, b.Constant(*factors)), b.Constant(*terms))};
}

constexpr NodeRule kRules[] = {
    {"BatchNormInference", NodeRule::kAnyVersion, "x * scale + shift",
     &BatchNorm},
};

}  // namespace

absl::Span<const NodeRule> BatchNormFusions() { return kRules; }

}  // namespace dovetail
