#include "dovetail/core/reference/common/map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dovetail/core/reference/common/half_blocks.h"

namespace dovetail {
namespace {

using FloatBlockFn =
    absl::FunctionRef<void(const float* in, float* out, int64_t n)>;

void MapHalfPrecision(KernelContext& context, int64_t cost, FloatBlockFn f) {
  const ElementType type = context.input(0).type();
  const void* in = context.input(0).raw_data();
  void* out = context.output(0).mutable_raw_data();
  ParallelLoop(context, context.input(0).element_count(), cost + 4,
               [&](int64_t begin, int64_t end) {
                 float from[kHalfBlock], to[kHalfBlock];
                 for (int64_t i = begin; i < end; i += kHalfBlock) {
                   const int64_t n = std::min(kHalfBlock, end - i);
                   WidenHalfPrecision(type, in, i, n, from);
                   f(from, to, n);
                   NarrowToHalfPrecision(type, to, n, out, i);
                 }
               });
}

template <typename T, typename F>
void MapWhole(KernelContext& context, int64_t cost, F f) {
  const T* in = context.input(0).data<T>();
  T* out = context.output(0).mutable_data<T>();
  ParallelLoop(context, context.input(0).element_count(), cost,
               [&](int64_t begin, int64_t end) {
                 f(in + begin, out + begin, end - begin);
               });
}

template <typename T>
T SaturateToInteger(double value) {
  // 2^63 and 2^64 are doubles, the largest integers below them are not.
  const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (!(value > static_cast<double>(std::numeric_limits<T>::min()))) {
    return std::numeric_limits<T>::min();
  }
  if (value >= above) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

}  // namespace

absl::Status MapFloatBlocks(
    KernelContext& context, int64_t cost, FloatBlockFn f32,
    absl::FunctionRef<void(const double* in, double* out, int64_t n)> f64) {
  const ElementType type = context.input(0).type();
  if (type == ElementType::kF32) {
    MapWhole<float>(context, cost, f32);
  } else if (type == ElementType::kF64) {
    MapWhole<double>(context, cost, f64);
  } else if (IsHalfPrecision(type)) {
    MapHalfPrecision(context, cost, f32);
  } else {
    return NoKernelFor(context, type);
  }
  return absl::OkStatus();
}

absl::Status MapIntegersAsDoubles(KernelContext& context, ToInteger how,
                                  absl::FunctionRef<double(double)> f) {
  return DispatchInteger(
      context.input(0).type(), context, [&](auto tag) -> absl::Status {
        using T = typename decltype(tag)::type;
        return MapElements<T, T>(context, 40, [&](T x) {
          const double y = f(static_cast<double>(x));
          return SaturateToInteger<T>(
              how == ToInteger::kRound ? std::round(y) : std::trunc(y));
        });
      });
}

}  // namespace dovetail
