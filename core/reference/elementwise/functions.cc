// Acos … Tan: functions of the mathematical library, ErfInv.
#include <cmath>

#include "dovetail/core/reference/common/map.h"
#include "dovetail/core/reference/elementwise/erf_inv.h"
#include "dovetail/core/reference/elementwise/unary.h"

namespace dovetail {
namespace {

// Cost of such a function in simple operations.
constexpr int64_t kCost = 20;

// `f` is for floats and doubles, and for integers as doubles.
template <typename F>
absl::Status FunctionKernel(KernelContext& context, ToInteger how, F f) {
  if (IsFloat(context.input(0).type())) return MapFloats(context, kCost, f);
  return MapIntegersAsDoubles(context, how, f);
}

}  // namespace

absl::Status AcosKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::acos(x); });
}
absl::Status AcoshKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::acosh(x); });
}
absl::Status AsinKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::asin(x); });
}
absl::Status AsinhKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::asinh(x); });
}
absl::Status AtanKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::atan(x); });
}
absl::Status AtanhKernel(KernelContext& context) {
  // There is no number beyond ±1, but integers then take the value at ±1, which
  // saturates.
  if (IsFloat(context.input(0).type())) {
    return MapFloats(context, kCost, [](auto x) { return std::atanh(x); });
  }
  return MapIntegersAsDoubles(context, ToInteger::kRound, [](double x) {
    return std::atanh(std::fmax(-1.0, std::fmin(x, 1.0)));
  });
}
absl::Status CosKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::cos(x); });
}
absl::Status CoshKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::cosh(x); });
}
absl::Status ErfKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::erf(x); });
}
absl::Status ErfInvKernel(KernelContext& context) {
  return MapFloats(context, 10 * kCost,
                   [](auto x) { return static_cast<decltype(x)>(ErfInv(x)); });
}
absl::Status ExpKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kTruncate,
                        [](auto x) { return std::exp(x); });
}
absl::Status LogKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kTruncate,
                        [](auto x) { return std::log(x); });
}
absl::Status SinKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kTruncate,
                        [](auto x) { return std::sin(x); });
}
absl::Status SinhKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::sinh(x); });
}
absl::Status SqrtKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::sqrt(x); });
}
absl::Status TanKernel(KernelContext& context) {
  return FunctionKernel(context, ToInteger::kRound,
                        [](auto x) { return std::tan(x); });
}

}  // namespace dovetail
