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

#if HWY_TARGET != HWY_SCALAR
// In each block of four lanes, four rows become four columns.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void Store4Columns(D d, V r0, V r1, V r2, V r3, float* to,
                              int64_t to_stride) {
  const hn::Repartition<double, D> dd;
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
}
#endif

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
  Store4Columns(d, hn::LoadU(d, from), hn::LoadU(d, from + from_stride),
                hn::LoadU(d, from + 2 * from_stride),
                hn::LoadU(d, from + 3 * from_stride), to, to_stride);
#endif
}

#if HWY_TARGET != HWY_SCALAR
// The first four elements of every fourth row, at any address: as many rows as
// a vector has blocks of four lanes.
template <class D>
HWY_INLINE hn::Vec<D> LoadEveryFourth(D d, const float* from, int64_t stride) {
  constexpr int64_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes == 4) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    return hn::Combine(
        d, LoadEveryFourth(half, from + kLanes / 2 * stride, stride),
        LoadEveryFourth(half, from, stride));
  }
}

// As many rows as a vector has lanes, of four elements each, become four
// vectors.
HWY_INLINE void TransposeLanesx4(const float* from, int64_t from_stride,
                                 float* to, int64_t to_stride) {
  const hn::FixedTag<float, HWY_LANES(float)> d;
  const auto r0 = LoadEveryFourth(d, from, from_stride);
  const auto r1 = LoadEveryFourth(d, from + from_stride, from_stride);
  const auto r2 = LoadEveryFourth(d, from + 2 * from_stride, from_stride);
  const auto r3 = LoadEveryFourth(d, from + 3 * from_stride, from_stride);
  Store4Columns(d, r0, r1, r2, r3, to, to_stride);
}

// As many columns as a panel has, of which each lies side by side.
HWY_INLINE void PackWholeColumns(const float* b, int64_t column_stride,
                                 int64_t depth, float* panel) {
  constexpr int64_t kLanes = HWY_LANES(float), kWidth = 2 * kLanes;
  int64_t k = 0;
  for (; k + 4 <= depth; k += 4) {
    for (int64_t j = 0; j < kWidth; j += kLanes) {
      TransposeLanesx4(b + j * column_stride + k, column_stride,
                       panel + k * kWidth + j, kWidth);
    }
  }
  for (; k < depth; ++k) {
    for (int64_t j = 0; j < kWidth; ++j) {
      panel[k * kWidth + j] = LoadFloat(b + k + j * column_stride);
    }
  }
}
#endif

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
#if HWY_TARGET != HWY_SCALAR
  if (row_stride == 1 && count == kWidth) {
    return PackWholeColumns(b, column_stride, depth, panel);
  }
#endif
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
