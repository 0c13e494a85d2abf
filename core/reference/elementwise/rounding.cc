// Abs, Negative, Sign, Ceiling, Floor, Round, Clamp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/core/reference/common/map.h"
#include "dovetail/core/reference/elementwise/unary.h"

namespace dovetail {
namespace {

// Applies a function of integers of any type.
template <typename F>
absl::Status MapIntegers(KernelContext& context, F f) {
  return DispatchInteger(context.input(0).type(), context,
                         [&](auto tag) -> absl::Status {
                           using T = typename decltype(tag)::type;
                           return MapElements<T, T>(context, 1, f);
                         });
}

// The number with its sign turned; the lowest one wraps to itself.
template <typename T>
T Negated(T x) {
  return static_cast<T>(0u - static_cast<std::make_unsigned_t<T>>(x));
}

// Floats by `f`; integers are rounded already.
template <typename F>
absl::Status RoundingKernel(KernelContext& context, F f) {
  if (IsFloat(context.input(0).type())) return MapFloats(context, 2, f);
  return MapIntegers(context, [](auto x) { return x; });
}

// A bound of Clamp as a number of type T that is at least (or at most) it.
template <typename T>
T IntegerBound(double bound) {
  if (bound <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  if (bound >= std::ldexp(1.0, std::numeric_limits<T>::digits)) {
    return std::numeric_limits<T>::max();
  }
  return static_cast<T>(bound);
}

}  // namespace

absl::Status AbsKernel(KernelContext& context) {
  if (IsFloat(context.input(0).type())) {
    return MapFloats(context, 1, [](auto x) { return std::fabs(x); });
  }
  return MapIntegers(context, [](auto x) { return x < 0 ? Negated(x) : x; });
}

absl::Status NegativeKernel(KernelContext& context) {
  if (IsFloat(context.input(0).type())) {
    return MapFloats(context, 1, [](auto x) { return -x; });
  }
  return MapIntegers(context, [](auto x) { return Negated(x); });
}

absl::Status SignKernel(KernelContext& context) {
  if (IsFloat(context.input(0).type())) {
    return MapFloats(context, 1, [](auto x) {
      using T = decltype(x);
      return std::isnan(x) ? x : static_cast<T>((x > 0) - (x < 0));
    });
  }
  return MapIntegers(context, [](auto x) { return (x > 0) - (x < 0); });
}

absl::Status CeilingKernel(KernelContext& context) {
  return RoundingKernel(context, [](auto x) { return std::ceil(x); });
}

absl::Status FloorKernel(KernelContext& context) {
  return RoundingKernel(context, [](auto x) { return std::floor(x); });
}

absl::Status RoundKernel(KernelContext& context) {
  if (context.attributes<RoundAttributes>().mode == RoundMode::kHalfToEven) {
    return RoundingKernel(context, [](auto x) { return std::nearbyint(x); });
  }
  return RoundingKernel(context, [](auto x) { return std::round(x); });
}

absl::Status ClampKernel(KernelContext& context) {
  const double min = context.attributes<ClampAttributes>().min;
  const double max = context.attributes<ClampAttributes>().max;
  const ElementType type = context.input(0).type();
  if (IsFloat(type)) {
    return MapFloats(context, 2, [min, max](auto x) {
      using T = decltype(x);
      return x < static_cast<T>(min)   ? static_cast<T>(min)
             : x > static_cast<T>(max) ? static_cast<T>(max)
                                       : x;
    });
  }
  return DispatchInteger(type, context, [&](auto tag) -> absl::Status {
    using T = typename decltype(tag)::type;
    const T low = IntegerBound<T>(std::ceil(min));
    const T high = IntegerBound<T>(std::floor(max));
    return MapElements<T, T>(context, 1, [low, high](T x) {
      return std::max(low, std::min(x, high));
    });
  });
}

}  // namespace dovetail
