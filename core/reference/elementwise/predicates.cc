// IsFinite, IsInf, IsNaN; LogicalNot, BitwiseNot.
#include <cmath>
#include <type_traits>

#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/core/reference/common/map.h"
#include "dovetail/core/reference/elementwise/unary.h"

namespace dovetail {
namespace {

// `test` is of a float or a double.
template <typename F>
absl::Status FloatTestKernel(KernelContext& context, F test) {
  return DispatchFloat(
      context.input(0).type(), context, [&](auto tag) -> absl::Status {
        using T = typename decltype(tag)::type;
        using Wide = std::conditional_t<std::is_same_v<T, double>, T, float>;
        return MapElements<T, bool>(
            context, 1, [&](T x) { return test(static_cast<Wide>(x)); });
      });
}

}  // namespace

absl::Status IsFiniteKernel(KernelContext& context) {
  return FloatTestKernel(context, [](auto x) { return std::isfinite(x); });
}

absl::Status IsInfKernel(KernelContext& context) {
  const auto& attributes = context.attributes<IsInfAttributes>();
  const bool negative = attributes.detect_negative;
  const bool positive = attributes.detect_positive;
  return FloatTestKernel(context, [negative, positive](auto x) {
    return std::isinf(x) && (x < 0 ? negative : positive);
  });
}

absl::Status IsNaNKernel(KernelContext& context) {
  return FloatTestKernel(context, [](auto x) { return std::isnan(x); });
}

absl::Status LogicalNotKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  if (type == ElementType::kBoolean) {
    return MapElements<uint8_t, bool>(context, 1,
                                      [](uint8_t x) { return x == 0; });
  }
  return DispatchNumeric(type, context, [&](auto tag) -> absl::Status {
    using T = typename decltype(tag)::type;
    return MapElements<T, bool>(context, 1, [](T x) { return x == 0; });
  });
}

absl::Status BitwiseNotKernel(KernelContext& context) {
  const ElementType type = context.input(0).type();
  if (type == ElementType::kBoolean) return LogicalNotKernel(context);
  return DispatchInteger(type, context, [&](auto tag) -> absl::Status {
    using T = typename decltype(tag)::type;
    return MapElements<T, T>(context, 1, [](T x) { return ~x; });
  });
}

}  // namespace dovetail
