#include "dovetail/backends/cpu/kernels/image/resize.h"

#include "dovetail/backends/cpu/kernels/common/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/image/resize.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/cpu/kernels/common/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

using IndexTag = hn::RebindToSigned<RowTag>;

// to = the sum over taps of weight * row of the input, `count` numbers.
HWY_INLINE void MixRows(const float* plane, int64_t row_size,
                        const ResizeTaps& rows, int64_t row, float* to,
                        int64_t count) {
  const RowTag d;
  if (rows.count() == 0) {
    std::fill_n(to, count, 0.0f);
    return;
  }
  const float* const first = plane + rows.indices(0)[row] * row_size;
  const auto weight = hn::Set(d, rows.weights(0)[row]);
  MapRow(first, to, count,
         [=](auto x, int64_t) HWY_ATTR { return hn::Mul(x, weight); });
  for (int64_t t = 1; t < rows.count(); ++t) {
    const float* const from = plane + rows.indices(t)[row] * row_size;
    const auto by = hn::Set(d, rows.weights(t)[row]);
    MapRow(from, to, count, [=](auto x, int64_t i) HWY_ATTR {
      const auto sum = count - i >= RowLanes() ? hn::LoadU(d, to + i)
                                               : LoadFew(to + i, count - i, 0);
      return hn::MulAdd(x, by, sum);
    });
  }
}

// `from` is one row, of which each number of `to` is a sum over taps.
void MixColumns(const float* from, const ResizeTaps& columns, float* to) {
  const RowTag d;
  const IndexTag di;
  const int64_t output = columns.output();
  for (int64_t i = 0; i < output; i += RowLanes()) {
    auto sum = hn::Zero(d);
    for (int64_t t = 0; t < columns.count(); ++t) {
      const auto at = hn::LoadU(di, columns.indices(t) + i);
      sum = hn::MulAdd(hn::GatherIndex(d, from, at),
                       hn::LoadU(d, columns.weights(t) + i), sum);
    }
    if (output - i >= RowLanes()) {
      hn::StoreU(sum, d, to + i);
    } else {
      StoreFew(sum, to + i, output - i);
    }
  }
}

// Of a row that is too wide for the stack: all taps of both axes at once.
void MixBoth(const float* plane, int64_t in_columns, const ResizeTaps& rows,
             const ResizeTaps& columns, int64_t row, float* to) {
  for (int64_t i = 0; i < columns.output(); ++i) {
    float sum = 0;
    for (int64_t r = 0; r < rows.count(); ++r) {
      const float* const from = plane + rows.indices(r)[row] * in_columns;
      float part = 0;
      for (int64_t t = 0; t < columns.count(); ++t) {
        part += from[columns.indices(t)[i]] * columns.weights(t)[i];
      }
      sum += part * rows.weights(r)[row];
    }
    to[i] = sum;
  }
}

void PickColumns(const float* from, const ResizeTaps& columns, float* to) {
  const int32_t* const indices = columns.indices(0);
  const float* const weights = columns.weights(0);
  for (int64_t i = 0; i < columns.output(); ++i) {
    to[i] = weights[i] != 0 ? from[indices[i]] : 0;
  }
}

bool AllPick(const ResizeTaps& rows, const ResizeTaps& columns) {
  return rows.picks() && columns.picks() && rows.count() == 1 &&
         columns.count() == 1;
}

// Whether a row picks the same input row as the one before, which then is the
// same.
bool RepeatsRow(const ResizeTaps& rows, int64_t row) {
  return row > 0 && rows.indices(0)[row] == rows.indices(0)[row - 1] &&
         rows.weights(0)[row] == rows.weights(0)[row - 1];
}

// A pixel of the output, where `row` is known: all taps at once, by vectors of
// channels.
HWY_INLINE void MixPixel(const float* plane, int64_t row_size, int64_t channels,
                         const ResizeTaps& rows, int64_t row,
                         const ResizeTaps& columns, int64_t column, float* to) {
  const RowTag d;
  const int64_t taps = columns.count();
  for (int64_t c = 0; c < channels; c += RowLanes()) {
    const int64_t rest = std::min(RowLanes(), channels - c);
    auto sum = hn::Zero(d);
    for (int64_t r = 0; r < rows.count(); ++r) {
      const float* const from = plane + rows.indices(r)[row] * row_size + c;
      const float row_weight = rows.weights(r)[row];
      for (int64_t t = 0; t < taps; ++t) {
        const float* const at = from + columns.indices(t)[column] * channels;
        const auto x =
            rest == RowLanes() ? hn::LoadU(d, at) : LoadFew(at, rest, 0);
        const float weight = row_weight * columns.weights(t)[column];
        sum = hn::MulAdd(x, hn::Set(d, weight), sum);
      }
    }
    if (rest == RowLanes()) {
      hn::StoreU(sum, d, to + c);
    } else {
      StoreFew(sum, to + c, rest);
    }
  }
}

void PickPixels(const float* from, int64_t channels, const ResizeTaps& columns,
                float* to) {
  const RowTag d;
  for (int64_t i = 0; i < columns.output(); ++i, to += channels) {
    const float* const at = from + columns.indices(0)[i] * channels;
    if (columns.weights(0)[i] == 0) {
      std::fill_n(to, channels, 0.0f);
    } else if (channels == RowLanes()) {
      hn::StoreU(hn::LoadU(d, at), d, to);
    } else {
      std::memcpy(to, at, channels * sizeof(float));
    }
  }
}

}  // namespace

void RunResizePlanar(const float* in, int64_t in_rows, int64_t in_columns,
                     const ResizeTaps& rows, const ResizeTaps& columns,
                     float* out, int64_t begin, int64_t end) {
  constexpr int64_t kWidest = 8192;
  HWY_ALIGN float mixed[kWidest];
  const bool picks = AllPick(rows, columns);
  for (int64_t i = begin; i < end; ++i) {
    const float* const plane = in + i / rows.output() * in_rows * in_columns;
    const int64_t row = i % rows.output();
    float* const to = out + i * columns.output();
    if (!picks && in_columns <= kWidest) {
      MixRows(plane, in_columns, rows, row, mixed, in_columns);
      MixColumns(mixed, columns, to);
    } else if (!picks) {
      MixBoth(plane, in_columns, rows, columns, row, to);
    } else if (i > begin && RepeatsRow(rows, row)) {
      std::memcpy(to, to - columns.output(), columns.output() * sizeof(float));
    } else if (rows.weights(0)[row] == 0) {
      std::fill_n(to, columns.output(), 0.0f);
    } else {
      PickColumns(plane + rows.indices(0)[row] * in_columns, columns, to);
    }
  }
}

void RunResizePixels(const float* in, int64_t in_rows, int64_t in_columns,
                     int64_t channels, const ResizeTaps& rows,
                     const ResizeTaps& columns, float* out, int64_t begin,
                     int64_t end) {
  const int64_t row_size = in_columns * channels;
  const int64_t out_size = columns.output() * channels;
  const bool picks = AllPick(rows, columns);
  for (int64_t i = begin; i < end; ++i) {
    const float* const plane = in + i / rows.output() * in_rows * row_size;
    const int64_t row = i % rows.output();
    float* const to = out + i * out_size;
    if (!picks) {
      for (int64_t x = 0; x < columns.output(); ++x) {
        MixPixel(plane, row_size, channels, rows, row, columns, x,
                 to + x * channels);
      }
    } else if (i > begin && RepeatsRow(rows, row)) {
      std::memcpy(to, to - out_size, out_size * sizeof(float));
    } else if (rows.weights(0)[row] == 0) {
      std::fill_n(to, out_size, 0.0f);
    } else {
      PickPixels(plane + rows.indices(0)[row] * row_size, channels, columns,
                 to);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(RunResizePlanar);
HWY_EXPORT(RunResizePixels);

void ResizePlanar(const float* in, int64_t in_rows, int64_t in_columns,
                  const ResizeTaps& rows, const ResizeTaps& columns, float* out,
                  int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunResizePlanar)
  (in, in_rows, in_columns, rows, columns, out, begin, end);
}

void ResizePixels(const float* in, int64_t in_rows, int64_t in_columns,
                  int64_t channels, const ResizeTaps& rows,
                  const ResizeTaps& columns, float* out, int64_t begin,
                  int64_t end) {
  HWY_DYNAMIC_DISPATCH(RunResizePixels)
  (in, in_rows, in_columns, channels, rows, columns, out, begin, end);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
