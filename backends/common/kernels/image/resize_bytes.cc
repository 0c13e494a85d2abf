// Resize of u8: sums in f32, rounded once.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "dovetail/backends/common/kernels/image/resize.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/image/resize_bytes.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

// Numbers of a row that fit the stack, besides what fills a vector.
constexpr int64_t kWidestByteRow = 16384;

using IntTag = hn::RebindToSigned<RowTag>;
using ByteTag = hn::Rebind<uint8_t, RowTag>;

// The first `count` of a vector's bytes, as many as there are or fewer.
HWY_INLINE RowVector LoadBytes(const uint8_t* from, int64_t count) {
  const ByteTag bytes;
  HWY_ALIGN uint8_t few[HWY_LANES(float)] = {};
  if (count < RowLanes()) {
    std::memcpy(few, from, count);
    from = few;
  }
  const auto loaded = hn::LoadU(bytes, from);
  return hn::ConvertTo(RowTag(), hn::PromoteTo(IntTag(), loaded));
}

// Rounded to even, and cut to what a byte holds.
HWY_INLINE void StoreBytes(RowVector x, uint8_t* to, int64_t count) {
  const ByteTag bytes;
  const auto rounded = hn::DemoteTo(bytes, hn::NearestInt(x));
  if (count >= RowLanes()) {
    hn::StoreU(rounded, bytes, to);
    return;
  }
  HWY_ALIGN uint8_t few[HWY_LANES(float)];
  hn::StoreU(rounded, bytes, few);
  std::memcpy(to, few, count);
}

// to = the sum over taps of weight * row of the input, `count` numbers and some
// more to fill a vector.
HWY_INLINE void MixByteRows(const uint8_t* plane, int64_t count,
                            const ResizeTaps& rows, int64_t row, float* to) {
  const RowTag d;
  for (int64_t i = 0; i < count; i += RowLanes()) {
    auto sum = hn::Zero(d);
    for (int64_t t = 0; t < rows.count(); ++t) {
      const uint8_t* const from = plane + rows.indices(t)[row] * count + i;
      sum = hn::MulAdd(LoadBytes(from, std::min(RowLanes(), count - i)),
                       hn::Set(d, rows.weights(t)[row]), sum);
    }
    hn::StoreU(sum, d, to + i);
  }
}

// `from` is one row, of which each number of `to` is a sum over taps.
HWY_INLINE void MixByteColumns(const float* from, const ResizeTaps& columns,
                               uint8_t* to) {
  const RowTag d;
  const int64_t output = columns.output();
  for (int64_t i = 0; i < output; i += RowLanes()) {
    auto sum = hn::Zero(d);
    for (int64_t t = 0; t < columns.count(); ++t) {
      const auto at = hn::LoadU(IntTag(), columns.indices(t) + i);
      sum = hn::MulAdd(hn::GatherIndex(d, from, at),
                       hn::LoadU(d, columns.weights(t) + i), sum);
    }
    StoreBytes(sum, to + i, output - i);
  }
}

// Of a row that is too wide for the stack: all taps of both axes at once.
void MixBytesOfBoth(const uint8_t* plane, int64_t in_columns,
                    const ResizeTaps& rows, const ResizeTaps& columns,
                    int64_t row, uint8_t* to) {
  for (int64_t i = 0; i < columns.output(); ++i) {
    float sum = 0;
    for (int64_t t = 0; t < columns.count(); ++t) {
      const uint8_t* const from = plane + columns.indices(t)[i];
      float part = 0;
      for (int64_t r = 0; r < rows.count(); ++r) {
        part += static_cast<float>(from[rows.indices(r)[row] * in_columns]) *
                rows.weights(r)[row];
      }
      sum += part * columns.weights(t)[i];
    }
    to[i] = static_cast<uint8_t>(std::clamp(std::nearbyint(sum), 0.f, 255.f));
  }
}

void PickBytes(const uint8_t* plane, int64_t in_columns, const ResizeTaps& rows,
               const ResizeTaps& columns, int64_t row, uint8_t* to) {
  const int64_t output = columns.output();
  if (rows.weights(0)[row] == 0) {
    std::fill_n(to, output, uint8_t{0});
    return;
  }
  const uint8_t* const from = plane + rows.indices(0)[row] * in_columns;
  for (int64_t i = 0; i < output; ++i) {
    to[i] = columns.weights(0)[i] != 0 ? from[columns.indices(0)[i]] : 0;
  }
}

}  // namespace

void ResizeByteRows(const ResizeProblem& problem, const uint8_t* in,
                    uint8_t* out, int64_t begin, int64_t end) {
  const ResizeTaps &rows = problem.rows, &columns = problem.columns;
  const int64_t in_columns = problem.in_columns;
  const bool picks = rows.picks() && columns.picks() && rows.count() == 1 &&
                     columns.count() == 1;
  HWY_ALIGN float mixed[kWidestByteRow + HWY_LANES(float)];
  for (int64_t i = begin; i < end; ++i) {
    const uint8_t* const plane =
        in + i / rows.output() * problem.in_rows * in_columns;
    const int64_t row = i % rows.output();
    uint8_t* const to = out + i * columns.output();
    if (picks) {
      PickBytes(plane, in_columns, rows, columns, row, to);
    } else if (in_columns <= kWidestByteRow) {
      MixByteRows(plane, in_columns, rows, row, mixed);
      MixByteColumns(mixed, columns, to);
    } else {
      MixBytesOfBoth(plane, in_columns, rows, columns, row, to);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(ResizeByteRows);

void Resize(const ResizeProblem& problem, const uint8_t* in, uint8_t* out,
            int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(ResizeByteRows)(problem, in, out, begin, end);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
