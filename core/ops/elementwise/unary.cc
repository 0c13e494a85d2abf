#include "dovetail/core/ops/elementwise/unary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/value_math.h"

namespace dovetail {
namespace {

constexpr EnumName kRoundModeNames[] = {
    {static_cast<int>(RoundMode::kHalfToEven), "half_to_even"},
    {static_cast<int>(RoundMode::kHalfAwayFromZero), "half_away_from_zero"},
};

Interval AbsInterval(Interval x) {
  const double most = std::max(std::fabs(x.lower), std::fabs(x.upper));
  if (x.lower <= 0 && x.upper >= 0) return {0, most};
  return {std::min(std::fabs(x.lower), std::fabs(x.upper)), most};
}

double SignOf(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

Interval SqrtInterval(Interval x) {
  if (x.lower < 0) return WholeRange(ElementType::kF32);
  return Rising(x, [](double v) { return std::sqrt(v); });
}

absl::Status InferWithValues(InferContext& context, UnaryIntervalFn f) {
  DOVETAIL_RETURN_IF_ERROR(InferUnary(context));
  PropagateUnary(context, f);
  return absl::OkStatus();
}

}  // namespace

absl::Span<const EnumName> EnumNames(RoundMode) { return kRoundModeNames; }

absl::Status InferUnary(InferContext& context) {
  context.SetOutput(0, context.type(0), context.shape(0));
  return absl::OkStatus();
}

absl::Status InferAbs(InferContext& context) {
  return InferWithValues(context, &AbsInterval);
}

absl::Status InferCeiling(InferContext& context) {
  return InferWithValues(context, [](Interval x) {
    return Rising(x, [](double v) { return std::ceil(v); });
  });
}

absl::Status InferFloor(InferContext& context) {
  return InferWithValues(context, [](Interval x) {
    return Rising(x, [](double v) { return std::floor(v); });
  });
}

absl::Status InferNegative(InferContext& context) {
  return InferWithValues(context, [](Interval x) {
    return Falling(x, [](double v) { return -v; });
  });
}

absl::Status InferSign(InferContext& context) {
  return InferWithValues(context,
                         [](Interval x) { return Rising(x, &SignOf); });
}

absl::Status InferSqrt(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(InferUnary(context));
  // Roots of integers are rounded; only exact ones of floats are of use.
  if (IsFloat(context.type(0))) PropagateUnary(context, &SqrtInterval);
  return absl::OkStatus();
}

absl::Status InferRound(InferContext& context) {
  const bool to_even =
      context.attributes<RoundAttributes>().mode == RoundMode::kHalfToEven;
  return InferWithValues(
      context, to_even ? [](Interval x) {
        return Rising(x, [](double v) { return std::nearbyint(v); });
      } : [](Interval x) {
        return Rising(x, [](double v) { return std::round(v); });
      });
}

absl::Status InferClamp(InferContext& context) {
  const auto& attributes = context.attributes<ClampAttributes>();
  if (!(attributes.min <= attributes.max)) {
    return context.Error("min ", attributes.min, " is greater than max ",
                         attributes.max);
  }
  DOVETAIL_RETURN_IF_ERROR(InferUnary(context));
  const ValueRange* value =
      context.wants_values() ? context.value(0) : nullptr;
  if (value == nullptr) return absl::OkStatus();
  const ElementType type = context.type(0);
  const double low =
      IsInteger(type) ? std::ceil(attributes.min) : attributes.min;
  const double high =
      IsInteger(type) ? std::floor(attributes.max) : attributes.max;
  std::vector<Interval> elements;
  for (const Interval& element : value->elements()) {
    const Interval clamped = MaximumIntervals(
        {low, low}, MinimumIntervals({high, high}, element));
    elements.push_back(RoundTo(type, clamped));
  }
  context.SetValue(0, ValueRange(std::move(elements)));
  return absl::OkStatus();
}

absl::Status InferFloatTest(InferContext& context) {
  context.SetOutput(0, ElementType::kBoolean, context.shape(0));
  return absl::OkStatus();
}

absl::Status InferLogicalNot(InferContext& context) {
  context.SetOutput(0, ElementType::kBoolean, context.shape(0));
  PropagateUnary(context,
                 [](Interval x) { return EqualIntervals(x, {0, 0}); });
  return absl::OkStatus();
}

}  // namespace dovetail
