#include "dovetail/backends/common/kernels/image/resize.h"

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/image/resize.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/common/kernels/image/resized_rows-inl.h"
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

// Numbers of a row that fit the stack. A vector may reach behind them.
constexpr int64_t kWidestRow = 16384;
constexpr int64_t kMixedRow = kWidestRow + HWY_LANES(float);

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

// Pixels of the output from one row of them, by vectors of channels, of which
// there are at least as many as lanes: the last vector begins early enough to
// be a whole one. kTaps is the number of taps, or 0 for any.
template <int kTaps>
void MixPixels(const float* from, int64_t channels, const ResizeTaps& columns,
               float* to) {
  const RowTag d;
  const int64_t taps = kTaps > 0 ? kTaps : columns.count();
  const int64_t last = channels - RowLanes();
  for (int64_t x = 0; x < columns.output(); ++x, to += channels) {
    for (int64_t begin = 0; begin < channels; begin += RowLanes()) {
      const int64_t c = std::min(begin, last);
      auto sum = hn::Zero(d);
      for (int64_t t = 0; t < taps; ++t) {
        const float* const at = from + columns.indices(t)[x] * channels + c;
        sum = hn::MulAdd(hn::LoadU(d, at), hn::Set(d, columns.weights(t)[x]),
                         sum);
      }
      hn::StoreU(sum, d, to + c);
    }
  }
}

// The same where a vector of `d` holds a whole pixel and perhaps more, which is
// written too, and then overwritten by the next one. A vector may be read
// behind the end of the row.
template <class D>
void MixSmallPixels(D d, const float* from, int64_t channels,
                    const ResizeTaps& columns, float* to) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const float* const end = to + columns.output() * channels;
  for (int64_t x = 0; x < columns.output(); ++x, to += channels) {
    auto sum = hn::Zero(d);
    for (int64_t t = 0; t < columns.count(); ++t) {
      const float* const at = from + columns.indices(t)[x] * channels;
      sum =
          hn::MulAdd(hn::LoadU(d, at), hn::Set(d, columns.weights(t)[x]), sum);
    }
    if (end - to >= lanes) {
      hn::StoreU(sum, d, to);
    } else {
      HWY_ALIGN float last[HWY_LANES(float)];
      hn::Store(sum, d, last);
      std::copy_n(last, channels, to);
    }
  }
}

void MixPixelsOfRow(const float* from, int64_t channels,
                    const ResizeTaps& columns, float* to) {
  if (channels <= std::min<int64_t>(4, RowLanes())) {
    return MixSmallPixels(hn::CappedTag<float, 4>(), from, channels, columns,
                          to);
  }
  if (channels < RowLanes()) {
    return channels <= 8
               ? MixSmallPixels(hn::CappedTag<float, 8>(), from, channels,
                                columns, to)
               : MixSmallPixels(RowTag(), from, channels, columns, to);
  }
  switch (columns.count()) {
    case 1:
      return MixPixels<1>(from, channels, columns, to);
    case 2:
      return MixPixels<2>(from, channels, columns, to);
    case 4:
      return MixPixels<4>(from, channels, columns, to);
    default:
      return MixPixels<0>(from, channels, columns, to);
  }
}

// Of rows that are too wide for the stack: all taps of both axes at once.
void MixPixelsOfBoth(const float* plane, int64_t row_size, int64_t channels,
                     const ResizeTaps& rows, int64_t row,
                     const ResizeTaps& columns, float* to) {
  for (int64_t x = 0; x < columns.output(); ++x, to += channels) {
    std::fill_n(to, channels, 0.0f);
    for (int64_t r = 0; r < rows.count(); ++r) {
      const float* const from = plane + rows.indices(r)[row] * row_size;
      for (int64_t t = 0; t < columns.count(); ++t) {
        const float weight = rows.weights(r)[row] * columns.weights(t)[x];
        const auto by = hn::Set(RowTag(), weight);
        MapRow(from + columns.indices(t)[x] * channels, to, channels,
               [=](auto pixel, int64_t i) HWY_ATTR {
                 const auto sum = channels - i >= RowLanes()
                                      ? hn::LoadU(RowTag(), to + i)
                                      : LoadFew(to + i, channels - i, 0);
                 return hn::MulAdd(pixel, by, sum);
               });
      }
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

void ResizePlanar(const ResizeProblem& problem, const float* in, float* out,
                  int64_t begin, int64_t end) {
  const ResizeTaps &rows = problem.rows, &columns = problem.columns;
  const int64_t in_rows = problem.in_rows, in_columns = problem.in_columns;
  const bool picks = AllPick(rows, columns);
  if (!picks && ResizedRows::Fit(rows, in_rows, columns.output())) {
    ResizeByRows(rows, in_rows, columns.output(), out, begin, end,
                 [&](int64_t row, float* to) {
                   MixColumns(in + row * in_columns, columns, to);
                 });
    return;
  }
  HWY_ALIGN float mixed[kMixedRow];
  for (int64_t i = begin; i < end; ++i) {
    const float* const plane = in + i / rows.output() * in_rows * in_columns;
    const int64_t row = i % rows.output();
    float* const to = out + i * columns.output();
    if (!picks && in_columns <= kWidestRow) {
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

void ResizePixels(const ResizeProblem& problem, const float* in, float* out,
                  int64_t begin, int64_t end) {
  const ResizeTaps &rows = problem.rows, &columns = problem.columns;
  const int64_t in_rows = problem.in_rows, channels = problem.channels;
  const int64_t row_size = problem.in_columns * channels;
  const int64_t out_size = columns.output() * channels;
  const bool picks = AllPick(rows, columns);
  HWY_ALIGN float mixed[kMixedRow];
  if (!picks && row_size <= kWidestRow &&
      ResizedRows::Fit(rows, in_rows, out_size)) {
    ResizeByRows(rows, in_rows, out_size, out, begin, end,
                 [&](int64_t row, float* to) {
                   const float* from = in + row * row_size;
                   // A vector of a small pixel would reach behind the image.
                   if (channels < RowLanes()) {
                     std::copy_n(from, row_size, mixed);
                     from = mixed;
                   }
                   MixPixelsOfRow(from, channels, columns, to);
                 });
    return;
  }
  for (int64_t i = begin; i < end; ++i) {
    const float* const plane = in + i / rows.output() * in_rows * row_size;
    const int64_t row = i % rows.output();
    float* const to = out + i * out_size;
    if (!picks && row_size <= kWidestRow) {
      MixRows(plane, row_size, rows, row, mixed, row_size);
      MixPixelsOfRow(mixed, channels, columns, to);
    } else if (!picks) {
      MixPixelsOfBoth(plane, row_size, channels, rows, row, columns, to);
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
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(ResizePlanar);
HWY_EXPORT(ResizePixels);

void Resize(const ResizeProblem& problem, const float* in, float* out,
            int64_t begin, int64_t end) {
  if (problem.channels == 1) {
    HWY_DYNAMIC_DISPATCH(ResizePlanar)(problem, in, out, begin, end);
  } else {
    HWY_DYNAMIC_DISPATCH(ResizePixels)(problem, in, out, begin, end);
  }
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
