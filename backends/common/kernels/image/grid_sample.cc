#include "dovetail/backends/common/kernels/image/grid_sample.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/image/grid_sample.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

using IndexTag = hn::RebindToSigned<RowTag>;

// Points of one plane, by vectors of them. What has no weight is not added,
// for it is not what the image has there.
template <int kTaps>
void SamplePlane(const float* plane, const GridTaps& rows,
                 const GridTaps& columns, int64_t count, float* to) {
  const RowTag d;
  const IndexTag di;
  const auto zero = hn::Zero(d);
  for (int64_t i = 0; i < count; i += RowLanes()) {
    auto sum = zero;
#pragma GCC unroll 4
    for (int y = 0; y < kTaps; ++y) {
      const auto row = hn::Load(di, rows.indices[y] + i);
      const auto by_row = hn::Load(d, rows.weights[y] + i);
      auto along = zero;
#pragma GCC unroll 4
      for (int x = 0; x < kTaps; ++x) {
        const auto at = hn::Add(row, hn::Load(di, columns.indices[x] + i));
        const auto by = hn::Load(d, columns.weights[x] + i);
        const auto element = hn::GatherIndex(d, plane, at);
        along = hn::MulAdd(hn::IfThenElseZero(hn::Ne(by, zero), element), by,
                           along);
      }
      sum = hn::MulAdd(hn::IfThenElseZero(hn::Ne(by_row, zero), along), by_row,
                       sum);
    }
    if (count - i >= RowLanes()) {
      hn::StoreU(sum, d, to + i);
    } else {
      StoreFew(sum, to + i, count - i);
    }
  }
}

// The pixels that a point is made of.
struct Pixels {
  int count = 0;
  const float* at[16];
  float weights[16];
};

HWY_INLINE Pixels PixelsOf(const float* data, int64_t channels, int taps,
                           const GridTaps& rows, const GridTaps& columns,
                           int64_t point) {
  Pixels pixels;
  for (int y = 0; y < taps; ++y) {
    const float by_row = rows.weights[y][point];
    if (by_row == 0) continue;
    const int64_t row = rows.indices[y][point];
    for (int x = 0; x < taps; ++x) {
      const float by = columns.weights[x][point];
      if (by == 0) continue;
      pixels.at[pixels.count] =
          data + (row + columns.indices[x][point]) * channels;
      pixels.weights[pixels.count++] = by_row * by;
    }
  }
  return pixels;
}

// Channels from `c` on, kVectors vectors of them; kCount pixels, or any number
// if it is 0.
template <int kCount, int kVectors>
HWY_INLINE void MixVectors(const Pixels& pixels, int64_t c, float* to) {
  const RowTag d;
  const int count = kCount > 0 ? kCount : pixels.count;
  RowVector sums[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) sums[v] = hn::Zero(d);
  for (int t = 0; t < count; ++t) {
    const float* const at = pixels.at[t] + c;
    const auto by = hn::Set(d, pixels.weights[t]);
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = hn::MulAdd(hn::LoadU(d, at + v * RowLanes()), by, sums[v]);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    hn::StoreU(sums[v], d, to + c + v * RowLanes());
  }
}

template <int kCount>
HWY_INLINE void MixPixels(const Pixels& pixels, int64_t channels, float* to) {
  constexpr int kVectors = 4;
  int64_t c = 0;
  for (; c + kVectors * RowLanes() <= channels; c += kVectors * RowLanes()) {
    MixVectors<kCount, kVectors>(pixels, c, to);
  }
  for (; c + RowLanes() <= channels; c += RowLanes()) {
    MixVectors<kCount, 1>(pixels, c, to);
  }
  if (c == channels) return;
  auto sum = hn::Zero(RowTag());
  for (int t = 0; t < pixels.count; ++t) {
    sum = hn::MulAdd(LoadFew(pixels.at[t] + c, channels - c, 0),
                     hn::Set(RowTag(), pixels.weights[t]), sum);
  }
  StoreFew(sum, to + c, channels - c);
}

void SamplePoint(const Pixels& pixels, int64_t channels, float* to) {
  switch (pixels.count) {
    case 1:
      return MixPixels<1>(pixels, channels, to);
    case 4:
      return MixPixels<4>(pixels, channels, to);
    case 16:
      return MixPixels<16>(pixels, channels, to);
    default:
      return MixPixels<0>(pixels, channels, to);
  }
}

}  // namespace

void SamplePlanes(const GridSampleShape& shape, const GridTaps& rows,
                  const GridTaps& columns, const float* data, int64_t count,
                  int64_t begin, int64_t end, float* out) {
  for (int64_t c = begin; c < end; ++c) {
    const float* const plane = data + c * shape.plane();
    float* const to = out + c * shape.points;
    switch (shape.rows.taps()) {
      case 1:
        SamplePlane<1>(plane, rows, columns, count, to);
        break;
      case 2:
        SamplePlane<2>(plane, rows, columns, count, to);
        break;
      default:
        SamplePlane<4>(plane, rows, columns, count, to);
    }
  }
}

void SamplePixels(const GridSampleShape& shape, const GridTaps& rows,
                  const GridTaps& columns, const float* data, int64_t count,
                  float* out) {
  const int taps = shape.rows.taps();
  for (int64_t i = 0; i < count; ++i) {
    SamplePoint(PixelsOf(data, shape.channels, taps, rows, columns, i),
                shape.channels, out + i * shape.channels);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {
namespace {

HWY_EXPORT(SamplePlanes);
HWY_EXPORT(SamplePixels);

// Of some points of a grid.
struct PointTaps {
  PointTaps(const GridSampleShape& shape, const float* grid, int64_t count) {
    float x[kGridPoints], y[kGridPoints];
    for (int64_t i = 0; i < count; ++i) {
      x[i] = grid[2 * i];
      y[i] = grid[2 * i + 1];
    }
    const int64_t end = std::min(kGridPoints, count + 15);
    std::fill(x + count, x + end, 0.0f);
    std::fill(y + count, y + end, 0.0f);
    FindGridTaps(shape.rows, y, count, rows);
    FindGridTaps(shape.columns, x, count, columns);
  }
  GridTaps rows, columns;
};

}  // namespace

void GridSamplePlanes(const GridSampleShape& shape, const float* data,
                      const float* grid, int64_t first, int64_t count,
                      int64_t begin, int64_t end, float* out) {
  const PointTaps taps(shape, grid + 2 * first, count);
  HWY_DYNAMIC_DISPATCH(SamplePlanes)
  (shape, taps.rows, taps.columns, data, count, begin, end, out + first);
}

void GridSamplePixels(const GridSampleShape& shape, const float* data,
                      const float* grid, int64_t first, int64_t count,
                      float* out) {
  const PointTaps taps(shape, grid + 2 * first, count);
  HWY_DYNAMIC_DISPATCH(SamplePixels)
  (shape, taps.rows, taps.columns, data, count, out + first * shape.channels);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
