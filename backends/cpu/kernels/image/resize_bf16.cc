#include "dovetail/backends/cpu/kernels/image/resize_bf16.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/image/resize_bf16.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/cpu/kernels/common/bf16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = AsBf16::Floats;
using Vector = AsBf16::Vector;
using Bits = hn::RebindToUnsigned<Floats>;

constexpr int64_t kFewChannels = 32;

// What one pixel of the output is made of.
struct Taps {
  int64_t count = 0;
  const uint16_t* from[Bf16Resize::kMostTaps];
  float weights[Bf16Resize::kMostTaps];
};

// Of a row of the output: rows of the input.
Taps RowTaps(const host::ResizeProblem& problem, const uint16_t* plane,
             int64_t row) {
  const host::ResizeTaps& rows = problem.rows;
  Taps taps;
  for (int64_t t = 0; t < rows.count(); ++t, ++taps.count) {
    taps.from[t] =
        plane + rows.indices(t)[row] * problem.in_columns * problem.channels;
    taps.weights[t] = rows.weights(t)[row];
  }
  return taps;
}

HWY_INLINE Taps PixelTaps(const host::ResizeProblem& problem, const Taps& rows,
                          int64_t x) {
  const host::ResizeTaps& columns = problem.columns;
  Taps taps;
  for (int64_t t = 0; t < columns.count(); ++t) {
    const int64_t at = columns.indices(t)[x] * problem.channels;
    const float weight = columns.weights(t)[x];
    for (int64_t r = 0; r < rows.count; ++r, ++taps.count) {
      taps.from[taps.count] = rows.from[r] + at;
      taps.weights[taps.count] = rows.weights[r] * weight;
    }
  }
  return taps;
}

// Calls store(sum over taps of weight * numbers, where these begin) for all of
// `count` numbers. The last vector begins early enough to be a whole one.
template <typename Store>
HWY_INLINE void MixVectors(const Taps& taps, int64_t count, Store store) {
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t begin = 0; begin < count; begin += lanes) {
    const int64_t i = std::min(begin, count - lanes);
    auto sum = hn::Zero(d);
    for (int64_t t = 0; t < taps.count; ++t) {
      sum = hn::MulAdd(AsBf16::Load(taps.from[t] + i),
                       hn::Set(d, taps.weights[t]), sum);
    }
    store(sum, i);
  }
}

// Lanes of one element have no pair in them.
#if HWY_TARGET != HWY_SCALAR

using Words = hn::Repartition<uint16_t, Bits>;

// Two vectors of floats that are stored as bf16: the elements with even numbers
// and those between. None has to change its place to become a float.
struct Pair {
  Vector even, odd;
};

HWY_INLINE Pair LoadPair(const uint16_t* from) {
  const auto words = hn::BitCast(Bits(), hn::LoadU(Words(), from));
  return {hn::BitCast(Floats(), hn::ShiftLeft<16>(words)),
          hn::BitCast(Floats(), hn::And(words, hn::Set(Bits(), 0xffff0000)))};
}

// Bits of which the upper half is x rounded. A NaN that is a sum of bf16
// numbers has a lower half of zeros, so it stays one.
HWY_INLINE hn::Vec<Bits> Rounded(Vector x) {
  const auto bits = hn::BitCast(Bits(), x);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(Bits(), 1));
  return hn::Add(hn::Add(bits, hn::Set(Bits(), 0x7fff)), odd);
}

HWY_INLINE void StorePair(const Pair& x, uint16_t* to) {
  const auto odd = hn::And(Rounded(x.odd), hn::Set(Bits(), 0xffff0000));
  const auto words = hn::Or(hn::ShiftRight<16>(Rounded(x.even)), odd);
  hn::StoreU(hn::BitCast(Words(), words), Words(), to);
}

// kTaps is their number, or 0 for any. The last vectors begin early enough to
// be whole ones.
template <int kTaps>
HWY_INLINE void MixPairs(const Taps& taps, int64_t channels, uint16_t* to) {
  const Floats d;
  const auto step = static_cast<int64_t>(hn::Lanes(Words()));
  const int64_t count = kTaps > 0 ? kTaps : taps.count;
  for (int64_t begin = 0; begin < channels; begin += step) {
    const int64_t c = std::min(begin, channels - step);
    Pair sum = {hn::Zero(d), hn::Zero(d)};
    for (int64_t t = 0; t < count; ++t) {
      const Pair x = LoadPair(taps.from[t] + c);
      const auto weight = hn::Set(d, taps.weights[t]);
      sum.even = hn::MulAdd(x.even, weight, sum.even);
      sum.odd = hn::MulAdd(x.odd, weight, sum.odd);
    }
    StorePair(sum, to + c);
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

HWY_INLINE void MixPixel(const Taps& taps, int64_t channels, uint16_t* to) {
#if HWY_TARGET != HWY_SCALAR
  if (channels >= static_cast<int64_t>(hn::Lanes(Words()))) {
    return taps.count == 4 ? MixPairs<4>(taps, channels, to)
                           : MixPairs<0>(taps, channels, to);
  }
#endif
  MixVectors(taps, channels, [=](Vector sum, int64_t c) HWY_ATTR {
    AsBf16::Store(sum, to + c);
  });
}

// Numbers of a row that fit the stack.
constexpr int64_t kWidestRow = 16384;

// `mixed` is one row, of which each pixel of `to` is a sum over taps.
void MixColumns(const float* mixed, int64_t channels,
                const host::ResizeTaps& columns, uint16_t* to) {
  const Floats d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t x = 0; x < columns.output(); ++x, to += channels) {
    for (int64_t begin = 0; begin < channels; begin += lanes) {
      const int64_t c = std::min(begin, channels - lanes);
      auto sum = hn::Zero(d);
      for (int64_t t = 0; t < columns.count(); ++t) {
        const float* const from = mixed + columns.indices(t)[x] * channels + c;
        sum = hn::MulAdd(hn::LoadU(d, from), hn::Set(d, columns.weights(t)[x]),
                         sum);
      }
      AsBf16::Store(sum, to + c);
    }
  }
}

// Few channels are not worth taps of their own for each pixel.
void ResizeRow(const host::ResizeProblem& problem, const Taps& rows,
               uint16_t* to) {
  const int64_t row_size = problem.in_columns * problem.channels;
  if (problem.channels < kFewChannels && row_size <= kWidestRow) {
    HWY_ALIGN float mixed[kWidestRow];
    MixVectors(rows, row_size, [&](Vector sum, int64_t i) HWY_ATTR {
      hn::StoreU(sum, Floats(), mixed + i);
    });
    MixColumns(mixed, problem.channels, problem.columns, to);
    return;
  }
  for (int64_t x = 0; x < problem.columns.output(); ++x) {
    MixPixel(PixelTaps(problem, rows, x), problem.channels, to);
    to += problem.channels;
  }
}

}  // namespace

void ResizeRows(const host::ResizeProblem& problem, const uint16_t* in,
                uint16_t* out, int64_t begin, int64_t end) {
  const int64_t out_rows = problem.rows.output();
  const int64_t plane_size =
      problem.in_rows * problem.in_columns * problem.channels;
  const int64_t out_size = problem.columns.output() * problem.channels;
  for (int64_t i = begin; i < end; ++i) {
    const Taps rows =
        RowTaps(problem, in + i / out_rows * plane_size, i % out_rows);
    ResizeRow(problem, rows, out + i * out_size);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(ResizeRows);

void ResizeBf16(const host::ResizeProblem& problem, const uint16_t* in,
                uint16_t* out, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(ResizeRows)(problem, in, out, begin, end);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
