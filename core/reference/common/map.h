// Kernels that apply one function to each element of input 0 and put the
// results, of the same type or as said, into output 0.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_MAP_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_MAP_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/dispatch.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// f32 by the first function, f64 by the second, f16 and bf16 as f32. `cost` is
// that of an element, as for ParallelLoop.
absl::Status MapFloatBlocks(
    KernelContext& context, int64_t cost,
    absl::FunctionRef<void(const float* in, float* out, int64_t n)> f32,
    absl::FunctionRef<void(const double* in, double* out, int64_t n)> f64);

// The same for a generic function of one element:
//   MapFloats(context, 1, [alpha](auto x) { return x > 0 ? x : x * T(alpha); })
// It has to give the type that it is given.
template <typename F>
absl::Status MapFloats(KernelContext& context, int64_t cost, F f) {
  const auto apply = [&f](const auto* in, auto* out, int64_t n) {
    for (int64_t i = 0; i < n; ++i) out[i] = f(in[i]);
  };
  return MapFloatBlocks(context, cost, apply, apply);
}

// Integers of any type through double. Results are rounded to nearest (ties
// away from zero) or cut, then saturated; NaN becomes the lowest value.
enum class ToInteger { kRound, kTruncate };
absl::Status MapIntegersAsDoubles(KernelContext& context, ToInteger how,
                                  absl::FunctionRef<double(double)> f);

// Elements of type T, results of type R, in parallel.
template <typename T, typename R, typename F>
absl::Status MapElements(KernelContext& context, int64_t cost, F f) {
  const T* in = context.input(0).data<T>();
  R* out = context.output(0).mutable_data<R>();
  ParallelLoop(context, context.input(0).element_count(), cost,
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   out[i] = static_cast<R>(f(in[i]));
                 }
               });
  return absl::OkStatus();
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_MAP_H_
