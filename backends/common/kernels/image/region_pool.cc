#include "dovetail/backends/common/kernels/image/region_pool.h"

#include <algorithm>
#include <limits>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/image/region_pool.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

using Tap = BinTaps::Tap;

// The taps of a bin.
struct Bin {
  const Tap *row, *row_end, *column, *column_end;
};

// Channels from a pixel's `at` on: whole vectors, or fewer numbers than lanes.
struct Whole {
  HWY_INLINE RowVector Load(const float* at) const {
    return hn::LoadU(RowTag(), at);
  }
  HWY_INLINE void Store(RowVector x, float* to) const {
    hn::StoreU(x, RowTag(), to);
  }
};
struct Few {
  int64_t count;
  HWY_INLINE RowVector Load(const float* at) const {
    return LoadFew(at, count, 0);
  }
  HWY_INLINE void Store(RowVector x, float* to) const {
    StoreFew(x, to, count);
  }
};

// One vector of channels of a bin, by f(bin, first channel, Whole or Few).
template <class F>
HWY_INLINE void ForChannels(const RegionImage& image, const BinTaps& rows,
                            const BinTaps& columns, float* to, F f) {
  for (int64_t y = 0; y < rows.bins(); ++y) {
    for (int64_t x = 0; x < columns.bins(); ++x, to += image.channels) {
      const Bin bin = {rows.begin(y), rows.end(y), columns.begin(x),
                       columns.end(x)};
      int64_t c = 0;
      for (; c + RowLanes() <= image.channels; c += RowLanes()) {
        f(bin, c, Whole(), to + c);
      }
      if (c < image.channels) f(bin, c, Few{image.channels - c}, to + c);
    }
  }
}

HWY_INLINE const float* At(const RegionImage& image, const Tap& row,
                           const Tap& column) {
  return image.data + (row.index * image.width + column.index) * image.stride;
}

// A point between four elements.
template <class Access>
HWY_INLINE RowVector PointOf(const RegionImage& image, const Tap* row,
                             const Tap* column, int64_t c, Access access) {
  const RowTag d;
  auto sum = hn::Zero(d);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const Tap &y = row[i / 2], &x = column[i % 2];
    sum = hn::MulAdd(access.Load(At(image, y, x) + c),
                     hn::Set(d, y.weight * x.weight), sum);
  }
  return sum;
}

}  // namespace

void Sums(const RegionImage& image, const BinTaps& rows, const BinTaps& columns,
          float scale, float* bins) {
  const RowTag d;
  const auto by = hn::Set(d, scale);
  ForChannels(image, rows, columns, bins,
              [&](const Bin& bin, int64_t c, auto access, float* to) HWY_ATTR {
                auto sum = hn::Zero(d);
                for (const Tap* y = bin.row; y < bin.row_end; ++y) {
                  auto along = hn::Zero(d);
                  for (const Tap* x = bin.column; x < bin.column_end; ++x) {
                    along = hn::MulAdd(access.Load(At(image, *y, *x) + c),
                                       hn::Set(d, x->weight), along);
                  }
                  sum = hn::MulAdd(along, hn::Set(d, y->weight), sum);
                }
                access.Store(hn::Mul(sum, by), to);
              });
}

void Largest(const RegionImage& image, const BinTaps& rows,
             const BinTaps& columns, float* bins) {
  const RowTag d;
  const auto least = hn::Set(d, -std::numeric_limits<float>::infinity());
  ForChannels(image, rows, columns, bins,
              [&](const Bin& bin, int64_t c, auto access, float* to) HWY_ATTR {
                auto most = least;
                for (const Tap* y = bin.row; y < bin.row_end; ++y) {
                  for (const Tap* x = bin.column; x < bin.column_end; ++x) {
                    most = hn::Max(access.Load(At(image, *y, *x) + c), most);
                  }
                }
                const bool empty =
                    bin.row == bin.row_end || bin.column == bin.column_end;
                access.Store(empty ? hn::Zero(d) : most, to);
              });
}

void LargestPoint(const RegionImage& image, const BinTaps& rows,
                  const BinTaps& columns, float* bins) {
  ForChannels(image, rows, columns, bins,
              [&](const Bin& bin, int64_t c, auto access, float* to) HWY_ATTR {
                auto most = hn::Zero(RowTag());
                for (const Tap* y = bin.row; y < bin.row_end; y += 2) {
                  for (const Tap* x = bin.column; x < bin.column_end; x += 2) {
                    most = hn::Max(PointOf(image, y, x, c, access), most);
                  }
                }
                access.Store(most, to);
              });
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(Sums);
HWY_EXPORT(Largest);
HWY_EXPORT(LargestPoint);

void BinTaps::Clear() {
  taps_.clear();
  ends_.resize(1);
}

void BinTaps::Add(int64_t index, float weight) {
  const auto size = static_cast<int64_t>(taps_.size());
  for (int64_t i = size - 1; i >= std::max(ends_.back(), size - 2); --i) {
    if (taps_[i].index != index) continue;
    taps_[i].weight += weight;
    return;
  }
  AddApart(index, weight);
}

void BinTaps::AddApart(int64_t index, float weight) {
  taps_.push_back({index, weight});
}

void PoolSums(const RegionImage& image, const BinTaps& rows,
              const BinTaps& columns, float scale, float* bins) {
  HWY_DYNAMIC_DISPATCH(Sums)(image, rows, columns, scale, bins);
}

void PoolLargest(const RegionImage& image, const BinTaps& rows,
                 const BinTaps& columns, float* bins) {
  HWY_DYNAMIC_DISPATCH(Largest)(image, rows, columns, bins);
}

void PoolLargestPoint(const RegionImage& image, const BinTaps& rows,
                      const BinTaps& columns, float* bins) {
  HWY_DYNAMIC_DISPATCH(LargestPoint)(image, rows, columns, bins);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
