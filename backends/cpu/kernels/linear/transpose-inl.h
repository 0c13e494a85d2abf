// Puts columns of a matrix together into a panel.
//
// Compiled once per instruction set.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_TRANSPOSE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_TRANSPOSE_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_TRANSPOSE_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_TRANSPOSE_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A float at any address.
HWY_INLINE float LoadFloat(const float* from) {
  float value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// Four rows of four lanes each, at any address, become four columns.
HWY_INLINE void Transpose4x4(const float* from, int64_t from_stride, float* to,
                             int64_t to_stride) {
#if HWY_TARGET == HWY_SCALAR
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 4; ++j) {
      to[j * to_stride + i] = LoadFloat(from + i * from_stride + j);
    }
  }
#else
  const hn::FixedTag<float, 4> d;
  const auto r0 = hn::LoadU(d, from);
  const auto r1 = hn::LoadU(d, from + from_stride);
  const auto r2 = hn::LoadU(d, from + 2 * from_stride);
  const auto r3 = hn::LoadU(d, from + 3 * from_stride);
  const hn::Repartition<double, decltype(d)> dd;
  const auto low01 = hn::BitCast(dd, hn::InterleaveLower(d, r0, r1));
  const auto low23 = hn::BitCast(dd, hn::InterleaveLower(d, r2, r3));
  const auto high01 = hn::BitCast(dd, hn::InterleaveUpper(d, r0, r1));
  const auto high23 = hn::BitCast(dd, hn::InterleaveUpper(d, r2, r3));
  const auto store = [&](auto v, int64_t row) HWY_ATTR {
    hn::StoreU(hn::BitCast(d, v), d, to + row * to_stride);
  };
  store(hn::InterleaveLower(dd, low01, low23), 0);
  store(hn::InterleaveUpper(dd, low01, low23), 1);
  store(hn::InterleaveLower(dd, high01, high23), 2);
  store(hn::InterleaveUpper(dd, high01, high23), 3);
#endif
}

// panel[k][j] = b[k * row_stride + j * column_stride] for `count` columns, and
// zeros for those that a panel has besides. b may be at any address.
HWY_INLINE void PackPanel(const float* b, int64_t row_stride,
                          int64_t column_stride, int64_t depth, int64_t count,
                          float* panel) {
  constexpr int64_t kWidth = 2 * HWY_LANES(float);
  if (count < kWidth) std::memset(panel, 0, depth * kWidth * sizeof(float));
  if (column_stride == 1 && count == kWidth) {
    for (int64_t k = 0; k < depth; ++k) {
      std::memcpy(panel + k * kWidth, b + k * row_stride,
                  kWidth * sizeof(float));
    }
    return;
  }
  int64_t j = 0;
  if (row_stride == 1) {
    for (; j + 4 <= count; j += 4) {
      int64_t k = 0;
      for (; k + 4 <= depth; k += 4) {
        Transpose4x4(b + j * column_stride + k, column_stride,
                     panel + k * kWidth + j, kWidth);
      }
      for (; k < depth; ++k) {
        for (int64_t i = j; i < j + 4; ++i) {
          panel[k * kWidth + i] = LoadFloat(b + k + i * column_stride);
        }
      }
    }
  }
  for (int64_t k = 0; k < depth; ++k) {
    for (int64_t i = j; i < count; ++i) {
      panel[k * kWidth + i] =
          LoadFloat(b + k * row_stride + i * column_stride);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_TRANSPOSE_INL_H_
