#include "dovetail/core/ops/common/value_math.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

#include "dovetail/core/tensor/types/narrow_float.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Interval kEverything = {-kInfinity, kInfinity};
constexpr Interval kUndecided = {0, 1};

Interval Truth(bool known, bool value) {
  if (!known) return kUndecided;
  return value ? Interval{1, 1} : Interval{0, 0};
}

// The smallest interval around some values; everything when one is not a
// number, which is what infinity minus infinity gives.
Interval Around(std::initializer_list<double> values) {
  Interval result = {kInfinity, -kInfinity};
  for (double value : values) {
    if (std::isnan(value)) return kEverything;
    result.lower = std::min(result.lower, value);
    result.upper = std::max(result.upper, value);
  }
  return result;
}

// A bound times a bound: an infinite bound is never reached, so that nothing
// times it is nothing.
double MultiplyBounds(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

double RoundToFloat(ElementType type, double value) {
  switch (type) {
    case ElementType::kF32: return static_cast<float>(value);
    case ElementType::kF16: return Float16(static_cast<float>(value));
    case ElementType::kBf16: return BFloat16(static_cast<float>(value));
    default: return value;
  }
}

// Those to whose precision RoundToFloat rounds.
bool RoundsTo(ElementType type) {
  return type == ElementType::kF64 || type == ElementType::kF32 ||
         type == ElementType::kF16 || type == ElementType::kBf16;
}

bool HasNan(Interval x) { return std::isnan(x.lower) || std::isnan(x.upper); }

template <double (*kRound)(double)>
Interval IntegerDivide(Interval a, Interval b) {
  const Interval quotient = DivideIntervals(a, b);
  return {kRound(quotient.lower), kRound(quotient.upper)};
}

// A remainder of integers, which is at least one from the divisor.
Interval ShortOfDivisor(Interval rest, Interval b) {
  const double most = std::max(std::fabs(b.lower), std::fabs(b.upper)) - 1;
  if (most < 0 || (b.lower <= 0 && b.upper >= 0)) return rest;
  return {std::max(rest.lower, -most), std::min(rest.upper, most)};
}

double FloorOf(double x) { return std::floor(x); }
double TruncateOf(double x) { return std::trunc(x); }

}  // namespace

Interval WholeRange(ElementType type) {
  if (type == ElementType::kBoolean) return {0, 1};
  if (!IsInteger(type)) return kEverything;
  const int bits = BitWidth(type);
  // Of 64 bits, the greatest number is not exact in a double.
  const double most = std::ldexp(1.0, IsSigned(type) ? bits - 1 : bits) -
                      (bits < 64 ? 1 : 0);
  return {IsSigned(type) ? -std::ldexp(1.0, bits - 1) : 0, most};
}

Interval RoundTo(ElementType type, Interval x) {
  if (HasNan(x)) return WholeRange(type);
  if (IsFloat(type)) {
    if (!RoundsTo(type)) return kEverything;
    return {RoundToFloat(type, x.lower), RoundToFloat(type, x.upper)};
  }
  // An infinite bound means that none is known; a finite one beyond the type's
  // range, or so large that it may, means that elements wrap.
  const Interval whole = WholeRange(type);
  const double most = BitWidth(type) < 64 ? whole.upper : whole.upper / 2;
  const bool wraps = (std::isfinite(x.lower) && x.lower < whole.lower) ||
                     (std::isfinite(x.upper) && x.upper > most);
  // No integer is infinite, though a float was that one is made from.
  const bool is_none = x.lower == kInfinity || x.upper == -kInfinity;
  return wraps || is_none ? whole : x;
}

Interval AddIntervals(Interval a, Interval b) {
  const Interval sum = {a.lower + b.lower, a.upper + b.upper};
  return HasNan(sum) ? kEverything : sum;
}

Interval SubtractIntervals(Interval a, Interval b) {
  const Interval difference = {a.lower - b.upper, a.upper - b.lower};
  return HasNan(difference) ? kEverything : difference;
}

Interval MultiplyIntervals(Interval a, Interval b) {
  return Around({MultiplyBounds(a.lower, b.lower),
                 MultiplyBounds(a.lower, b.upper),
                 MultiplyBounds(a.upper, b.lower),
                 MultiplyBounds(a.upper, b.upper)});
}

Interval DivideIntervals(Interval a, Interval b) {
  if (b.lower <= 0 && b.upper >= 0) return kEverything;
  return Around({a.lower / b.lower, a.lower / b.upper, a.upper / b.lower,
                 a.upper / b.upper});
}

Interval FloorDivideIntervals(Interval a, Interval b) {
  return IntegerDivide<&FloorOf>(a, b);
}

Interval TruncateDivideIntervals(Interval a, Interval b) {
  return IntegerDivide<&TruncateOf>(a, b);
}

Interval FloorModIntervals(Interval a, Interval b) {
  if (b.lower <= 0 && b.upper >= 0) return kEverything;
  if (a.is_exact() && b.is_exact() && std::isfinite(a.lower)) {
    const double rest = std::fmod(a.lower, b.lower);
    const bool other_sign = rest != 0 && (rest < 0) != (b.lower < 0);
    const double result = other_sign ? rest + b.lower : rest;
    return {result, result};
  }
  // Between two multiples of b the remainder rises with a.
  const double below = std::floor(a.lower / b.lower);
  if (b.is_exact() && std::isfinite(below) &&
      below == std::floor(a.upper / b.lower)) {
    return {a.lower - below * b.lower, a.upper - below * b.lower};
  }
  if (b.upper < 0) return {b.lower, 0};
  return {0, a.lower >= 0 ? std::min(a.upper, b.upper) : b.upper};
}

Interval ModIntervals(Interval a, Interval b) {
  if (b.lower <= 0 && b.upper >= 0) return kEverything;
  if (a.is_exact() && b.is_exact() && std::isfinite(a.lower)) {
    const double rest = std::fmod(a.lower, b.lower);
    return {rest, rest};
  }
  if (a.lower >= 0 && b.lower > 0) return FloorModIntervals(a, b);
  const double most = std::max(std::fabs(b.lower), std::fabs(b.upper));
  return {a.lower < 0 ? -most : 0, a.upper > 0 ? most : 0};
}

Interval FloorModIntegers(Interval a, Interval b) {
  return ShortOfDivisor(FloorModIntervals(a, b), b);
}

Interval ModIntegers(Interval a, Interval b) {
  return ShortOfDivisor(ModIntervals(a, b), b);
}

Interval PowerIntervals(Interval a, Interval b) {
  const auto power = [](double x, double y) { return std::pow(x, y); };
  if (a.is_exact() && b.is_exact()) return Around({power(a.lower, b.lower)});
  // Above 1 it grows with both; a known exponent lets it grow with a number
  // that is not negative.
  if (a.lower >= 1 || (a.lower >= 0 && b.is_exact() && b.lower > 0)) {
    return Around({power(a.lower, b.lower), power(a.lower, b.upper),
                   power(a.upper, b.lower), power(a.upper, b.upper)});
  }
  return kEverything;
}

Interval PowerIntegers(Interval a, Interval b) {
  // Fractions are left to the kernels.
  return b.lower < 0 ? kEverything : PowerIntervals(a, b);
}

Interval SquaredDifferenceIntervals(Interval a, Interval b) {
  const Interval difference = SubtractIntervals(a, b);
  const Interval square = MultiplyIntervals(difference, difference);
  const bool spans_zero = difference.lower <= 0 && difference.upper >= 0;
  const double least =
      std::min(std::fabs(difference.lower), std::fabs(difference.upper));
  return {spans_zero ? 0 : least * least, square.upper};
}

Interval MinimumIntervals(Interval a, Interval b) {
  return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
}

Interval MaximumIntervals(Interval a, Interval b) {
  return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
}

Interval EqualIntervals(Interval a, Interval b) {
  if (a.upper < b.lower || b.upper < a.lower) return {0, 0};
  return Truth(a.is_exact() && b.is_exact(), a.lower == b.lower);
}

Interval NotEqualIntervals(Interval a, Interval b) {
  const Interval equal = EqualIntervals(a, b);
  return {1 - equal.upper, 1 - equal.lower};
}

Interval LessIntervals(Interval a, Interval b) {
  if (a.upper < b.lower) return {1, 1};
  return Truth(a.lower >= b.upper, false);
}

Interval LessEqualIntervals(Interval a, Interval b) {
  if (a.upper <= b.lower) return {1, 1};
  return Truth(a.lower > b.upper, false);
}

Interval GreaterIntervals(Interval a, Interval b) {
  return LessIntervals(b, a);
}

Interval GreaterEqualIntervals(Interval a, Interval b) {
  return LessEqualIntervals(b, a);
}

Interval AndIntervals(Interval a, Interval b) {
  return MinimumIntervals(a, b);
}

Interval OrIntervals(Interval a, Interval b) { return MaximumIntervals(a, b); }

Interval XorIntervals(Interval a, Interval b) {
  return Truth(a.is_exact() && b.is_exact(), a.lower != b.lower);
}

std::vector<int64_t> BroadcastMap(const Shape& from, const Shape& to,
                                  AutoBroadcast mode) {
  const int shift =
      mode == AutoBroadcast::kNumpy ? to.rank() - from.rank() : 0;
  std::vector<int64_t> strides(to.rank(), 0);
  int64_t stride = 1;
  for (int axis = from.rank() - 1; axis >= 0; --axis) {
    if (from[axis] != 1) strides[axis + shift] = stride;
    stride *= from[axis];
  }
  std::vector<int64_t> map;
  const int64_t count = to.Count();
  map.reserve(count);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, at = 0;
    for (int axis = to.rank() - 1; axis >= 0; --axis) {
      at += rest % to[axis] * strides[axis];
      rest /= to[axis];
    }
    map.push_back(at);
  }
  return map;
}

void PropagateUnary(InferContext& context, UnaryIntervalFn f) {
  if (!context.wants_values()) return;
  const ValueRange* x = context.value(0);
  if (x == nullptr) return;
  const ElementType type = context.outputs()[0].type;
  std::vector<Interval> elements;
  for (const Interval& element : x->elements()) {
    elements.push_back(RoundTo(type, f(element)));
  }
  context.SetValue(0, ValueRange(std::move(elements)));
}

void PropagateBinary(InferContext& context, AutoBroadcast mode,
                     BinaryIntervalFn f) {
  if (!context.wants_values()) return;
  const ValueRange* a = context.value(0);
  const ValueRange* b = context.value(1);
  if (a == nullptr || b == nullptr) return;
  const InferredOutput& output = context.outputs()[0];
  const absl::StatusOr<Shape> to = output.shape.ToShape();
  const absl::StatusOr<Shape> from_a = context.shape(0).ToShape();
  const absl::StatusOr<Shape> from_b = context.shape(1).ToShape();
  if (!to.ok() || !from_a.ok() || !from_b.ok()) return;
  const absl::StatusOr<int64_t> count = to->ElementCount();
  if (!count.ok() || *count > ValueRange::kMaxElements) return;
  const std::vector<int64_t> map_a = BroadcastMap(*from_a, *to, mode);
  const std::vector<int64_t> map_b = BroadcastMap(*from_b, *to, mode);
  std::vector<Interval> elements;
  for (int64_t i = 0; i < *count; ++i) {
    elements.push_back(
        RoundTo(output.type, f((*a)[map_a[i]], (*b)[map_b[i]])));
  }
  context.SetValue(0, ValueRange(std::move(elements)));
}

}  // namespace dovetail
