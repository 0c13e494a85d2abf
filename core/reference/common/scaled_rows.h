// The innermost loop of convolutions and matrix products.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_SCALED_ROWS_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_SCALED_ROWS_H_

#include <array>
#include <cstdint>
#include <type_traits>

namespace dovetail {

namespace internal {
// The same for f32, each product and sum rounded once where the processor has
// an instruction for that.
void AddScaledFloatRows(const std::array<float, 4>& weights,
                        const float* source, int64_t step, int64_t count,
                        int64_t pitch, float* sums);
void AddScaledFloatRows(const std::array<float, 1>& weights,
                        const float* source, int64_t step, int64_t count,
                        int64_t pitch, float* sums);
}  // namespace internal

// sums[c * pitch + i] += weights[c] * source[i * step] for i in [0, count) and
// every channel c of `weights`. Several channels at a time, because each
// element of the source is then read once for all of them.
template <typename T>
inline void AddScaledRows(const std::array<T, 4>& weights, const T* source,
                          int64_t step, int64_t count, int64_t pitch,
                          T* sums) {
  if constexpr (std::is_same_v<T, float>) {
    internal::AddScaledFloatRows(weights, source, step, count, pitch, sums);
    return;
  }
  T* __restrict sums0 = sums;
  T* __restrict sums1 = sums + pitch;
  T* __restrict sums2 = sums + 2 * pitch;
  T* __restrict sums3 = sums + 3 * pitch;
  const T weight0 = weights[0], weight1 = weights[1];
  const T weight2 = weights[2], weight3 = weights[3];
  auto add = [&](int64_t i, T value) {
    sums0[i] += weight0 * value;
    sums1[i] += weight1 * value;
    sums2[i] += weight2 * value;
    sums3[i] += weight3 * value;
  };
  if (step == 1) {  // apart, because the compiler vectorises it
    for (int64_t i = 0; i < count; ++i) add(i, source[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) add(i, source[i * step]);
  }
}

template <typename T>
inline void AddScaledRows(const std::array<T, 1>& weights, const T* source,
                          int64_t step, int64_t count, int64_t pitch,
                          T* sums) {
  if constexpr (std::is_same_v<T, float>) {
    internal::AddScaledFloatRows(weights, source, step, count, pitch, sums);
    return;
  }
  T* __restrict sums0 = sums;
  const T weight = weights[0];
  if (step == 1) {
    for (int64_t i = 0; i < count; ++i) sums0[i] += weight * source[i];
  } else {
    for (int64_t i = 0; i < count; ++i) sums0[i] += weight * source[i * step];
  }
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_SCALED_ROWS_H_
