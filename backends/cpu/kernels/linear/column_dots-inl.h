// A row times a matrix whose columns lie in memory one after the other: dot
// products, as fast as memory is where the matrix comes from there.
//
// Compiled once per instruction set.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COLUMN_DOTS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COLUMN_DOTS_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COLUMN_DOTS_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COLUMN_DOTS_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// More streams keep more of memory busy: with 8 a Zen 3 reads 28 GB/s on two
// threads, with 4 25, with 1 14.
constexpr int kColumnsAtATime = 8;

// Columns of up to so many elements are over before some processors know that
// they are read one element after the other. What comes next is asked for to
// the L2 cache, as in L1 it drives out what is being read (gpt2_decode 17.8 ms,
// to L1 18.7; llama_small_decode 2.24 and 2.32; Xeon with AMX). Others are
// slower for being asked: one thread of a Zen 5 reads columns of 768 elements
// with 32 GB/s then, and else with 37.
constexpr int64_t kShortColumn = 2048;

// sums[i] = a . b[i * stride], of `depth` elements each. b may be at any
// address; with kAsks what comes behind it is asked for.
template <int kColumns, bool kAsks>
HWY_INLINE void DotColumns(const float* a, const float* b, int64_t stride,
                           int64_t depth, float* sums) {
  const hn::ScalableTag<float> d;
  constexpr int64_t kLanes = HWY_LANES(float);
  hn::Vec<decltype(d)> lanes[kColumns];
#pragma GCC unroll 8
  for (int i = 0; i < kColumns; ++i) lanes[i] = hn::Zero(d);
  int64_t k = 0;
  for (; k + kLanes <= depth; k += kLanes) {
    const auto x = hn::LoadU(d, a + k);
#pragma GCC unroll 8
    for (int i = 0; i < kColumns; ++i) {
      const float* const element = b + i * stride + k;
      if constexpr (kAsks) {
        __builtin_prefetch(element + kColumns * stride, /*rw=*/0,
                           /*locality=*/2);
      }
      lanes[i] = hn::MulAdd(x, hn::LoadU(d, element), lanes[i]);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kColumns; ++i) {
    float sum = hn::GetLane(hn::SumOfLanes(d, lanes[i]));
    for (int64_t rest = k; rest < depth; ++rest) {
      float element;
      std::memcpy(&element, b + i * stride + rest, sizeof(element));
      sum += a[rest] * element;
    }
    sums[i] = sum;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COLUMN_DOTS_INL_H_
