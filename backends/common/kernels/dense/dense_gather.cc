#include "dovetail/backends/common/kernels/dense/dense_gather.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/dense/dense_product.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/core/base/checked_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/dense/dense_gather.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;

// Whole vectors: what they write too much is written again, by the piece or the
// row behind.
HWY_INLINE void CopyPiece(const float* plane, int64_t stride,
                          const GatherPiece& piece, float* to) {
  const Tag d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const float* const from = plane + piece.from;
  if (piece.from < 0) {
    for (int64_t i = 0; i < piece.count; i += lanes) {
      hn::StoreU(hn::Zero(d), d, to + i);
    }
  } else if (stride == 1) {
    for (int64_t i = 0; i < piece.count; i += lanes) {
      hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    }
  } else if (stride == 2) {
    hn::Vec<Tag> even, odd;
    for (int64_t i = 0; i < piece.count; i += lanes) {
      hn::LoadInterleaved2(d, from + 2 * i, even, odd);
      hn::StoreU(even, d, to + i);
    }
  } else {
    for (int64_t i = 0; i < piece.count; ++i) to[i] = from[i * stride];
  }
}

void CopyRow(const float* plane, int64_t stride, const GatherPiece* begin,
             const GatherPiece* end, float* row) {
  for (const GatherPiece* piece = begin; piece != end; ++piece) {
    CopyPiece(plane, stride, *piece, row);
    row += piece->count;
  }
}

void CopyRows(const float* planes, int64_t plane, int64_t stride,
              const GatherPiece* pieces, const int64_t* begins, int64_t taps,
              int64_t begin, int64_t end, float* rows) {
  int64_t tap = begin % taps;
  planes += begin / taps * plane;
  for (int64_t row = begin; row < end; ++row) {
    CopyRow(planes, stride, pieces + begins[tap], pieces + begins[tap + 1],
            rows);
    rows += kPanelColumns;
    if (++tap < taps) continue;
    tap = 0;
    planes += plane;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(CopyRows);

void PanelGather::Set(const WindowAxis& y, const WindowAxis& x, int64_t first,
                      int64_t columns) {
  plane_ = y.input * x.input;
  stride_ = x.stride;
  pieces_.clear();
  begins_.assign(1, 0);
  for (int64_t ky = 0; ky < y.kernel; ++ky) {
    for (int64_t kx = 0; kx < x.kernel; ++kx) {
      AddTap(y, x, ky, kx, first, columns);
      begins_.push_back(static_cast<int64_t>(pieces_.size()));
    }
  }
}

void PanelGather::AddTap(const WindowAxis& y, const WindowAxis& x, int64_t ky,
                         int64_t kx, int64_t first, int64_t columns) {
  int64_t oy = first / x.output, ox = first % x.output;
  for (int64_t done = 0; done < columns; ++oy, ox = 0) {
    const int64_t count = std::min(columns - done, x.output - ox);
    const int64_t iy = y.Begin(oy) + ky * y.dilation;
    if (iy < 0 || iy >= y.input) {
      pieces_.push_back({-1, count});
    } else {
      AddRow(x, iy * x.input, x.Begin(ox) + kx * x.dilation, count);
    }
    done += count;
  }
}

// Pixels from column `ix` on, as far as the row has them.
void PanelGather::AddRow(const WindowAxis& x, int64_t row, int64_t ix,
                         int64_t count) {
  const int64_t before =
      ix >= 0 ? 0 : std::min(count, CeilDivide(-ix, x.stride));
  const int64_t end =
      ix >= x.input ? 0 : std::min(count, CeilDivide(x.input - ix, x.stride));
  const int64_t after = count - std::max(before, end);
  if (before > 0) pieces_.push_back({-1, before});
  if (end > before) {
    pieces_.push_back({row + ix + before * x.stride, end - before});
  }
  if (after > 0) pieces_.push_back({-1, after});
}

void PanelGather::Gather(const float* planes, int64_t begin, int64_t end,
                         float* rows) const {
  HWY_DYNAMIC_DISPATCH(CopyRows)
  (planes, plane_, stride_, pieces_.data(), begins_.data(),
   static_cast<int64_t>(begins_.size()) - 1, begin, end, rows);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
