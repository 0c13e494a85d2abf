#include "dovetail/backends/common/kernels/dense/dense_product.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/dense/dense_product.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;

// Sums that the registers hold beside factors: 12 rows of two vectors where
// there are 32 registers, else 6.
constexpr int kRowsAtOnce = HWY_TARGET <= HWY_AVX3 ? 12 : 6;

// Some rows of a block times two vectors of columns.
HWY_INLINE void MultiplyTile(const float* HWY_RESTRICT packed,
                             const float* HWY_RESTRICT panel, int64_t inner,
                             bool adds, float* HWY_RESTRICT sums) {
  const Tag d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<Tag> sum[kRowsAtOnce][2];
#pragma GCC unroll 12
  for (int r = 0; r < kRowsAtOnce; ++r) {
    float* const at = sums + r * kPanelColumns;
    sum[r][0] = adds ? hn::Load(d, at) : hn::Zero(d);
    sum[r][1] = adds ? hn::Load(d, at + lanes) : hn::Zero(d);
  }
  for (int64_t k = 0; k < inner; ++k) {
    const auto x0 = hn::Load(d, panel);
    const auto x1 = hn::Load(d, panel + lanes);
#pragma GCC unroll 12
    for (int r = 0; r < kRowsAtOnce; ++r) {
      const auto w = hn::Set(d, packed[r]);
      sum[r][0] = hn::MulAdd(w, x0, sum[r][0]);
      sum[r][1] = hn::MulAdd(w, x1, sum[r][1]);
    }
    packed += kRowBlock;
    panel += kPanelColumns;
  }
#pragma GCC unroll 12
  for (int r = 0; r < kRowsAtOnce; ++r) {
    hn::Store(sum[r][0], d, sums + r * kPanelColumns);
    hn::Store(sum[r][1], d, sums + r * kPanelColumns + lanes);
  }
}

void Multiply(const float* packed, const float* panel, int64_t inner,
              bool adds, float* sums) {
  const int64_t width = 2 * static_cast<int64_t>(hn::Lanes(Tag()));
  for (int64_t column = 0; column < kPanelColumns; column += width) {
    for (int64_t row = 0; row < kRowBlock; row += kRowsAtOnce) {
      MultiplyTile(packed + row, panel + column, inner, adds,
                   sums + row * kPanelColumns + column);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(Multiply);

int64_t PackedRowsSize(int64_t rows, int64_t inner) {
  return (rows + kRowBlock - 1) / kRowBlock * kRowBlock * inner;
}

void PackRows(const float* rows, int64_t count, int64_t inner, float* packed) {
  std::fill_n(packed, PackedRowsSize(count, inner), 0.0f);
  for (int64_t row = 0; row < count; ++row) {
    float* const block = packed + row / kRowBlock * kRowBlock * inner;
    for (int64_t k = 0; k < inner; ++k) {
      block[k * kRowBlock + row % kRowBlock] = rows[row * inner + k];
    }
  }
}

void MultiplyPanel(const float* packed, const float* panel, int64_t inner,
                   bool adds, float* sums) {
  HWY_DYNAMIC_DISPATCH(Multiply)(packed, panel, inner, adds, sums);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
