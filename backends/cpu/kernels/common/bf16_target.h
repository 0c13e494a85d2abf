// What sources with instructions for bf16 share. Highway has no target of just
// these. For x86-64 alone.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_TARGET_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_TARGET_H_

#include <immintrin.h>

#include <algorithm>
#include <cstdint>

// GCC 12 warns of its own intrinsics.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#define DOVETAIL_BF16 \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

namespace dovetail::cpu {

inline constexpr int64_t kBf16Lanes = 16;

// The first `count` lanes; none for less than 1, all for more than there are.
inline __mmask16 FirstLanes(int64_t count) {
  return static_cast<__mmask16>(
      (1u << std::clamp<int64_t>(count, 0, kBf16Lanes)) - 1);
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_TARGET_H_
