#include "dovetail/core/reference/common/scaled_rows.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "dovetail/core/reference/common/fused.h"

namespace dovetail::internal {
namespace {

using Step = int64_t;

template <bool kFused>
[[gnu::always_inline]] inline float MultiplyAdd(float a, float b, float sum) {
  return kFused ? __builtin_fmaf(a, b, sum) : sum + a * b;
}

// `step` apart where it is 1, because the compiler vectorises that.
template <bool kFused, std::size_t kChannels>
[[gnu::always_inline]] inline void Add(
    const std::array<float, kChannels>& weights, const float* source, Step step,
    int64_t count, int64_t pitch, float* sums) {
  for (std::size_t c = 0; c < kChannels; ++c) {
    float* __restrict row = sums + static_cast<int64_t>(c) * pitch;
    const float weight = weights[c];
    if (step == 1) {
      for (int64_t i = 0; i < count; ++i) {
        row[i] = MultiplyAdd<kFused>(weight, source[i], row[i]);
      }
    } else {
      for (int64_t i = 0; i < count; ++i) {
        row[i] = MultiplyAdd<kFused>(weight, source[i * step], row[i]);
      }
    }
  }
}

#if defined(__x86_64__)
template <std::size_t kChannels>
__attribute__((target("avx2,fma"))) void AddFused(
    const std::array<float, kChannels>& weights, const float* source, Step step,
    int64_t count, int64_t pitch, float* sums) {
  Add<true>(weights, source, step, count, pitch, sums);
}
#endif

template <std::size_t kChannels>
void AddBest(const std::array<float, kChannels>& weights, const float* source,
             Step step, int64_t count, int64_t pitch, float* sums) {
#if defined(__x86_64__)
  if (HasFusedMultiplyAdd()) {
    AddFused(weights, source, step, count, pitch, sums);
    return;
  }
#endif
  Add<false>(weights, source, step, count, pitch, sums);
}

}  // namespace

void AddScaledFloatRows(const std::array<float, 4>& weights,
                        const float* source, int64_t step, int64_t count,
                        int64_t pitch, float* sums) {
  AddBest(weights, source, step, count, pitch, sums);
}

void AddScaledFloatRows(const std::array<float, 1>& weights,
                        const float* source, int64_t step, int64_t count,
                        int64_t pitch, float* sums) {
  AddBest(weights, source, step, count, pitch, sums);
}

}  // namespace dovetail::internal
