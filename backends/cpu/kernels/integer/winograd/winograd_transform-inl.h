// The transformations of Winograd's algorithm F(4 x 4, 3 x 3) for integers: of
// tiles of bytes, and of sums back to tiles of results.
//
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h, where vectors of 8 x 32 bits are.
#if defined(                                                            \
    DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_TRANSFORM_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_TRANSFORM_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_TRANSFORM_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_TRANSFORM_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd_tiles.h"
#include "dovetail/backends/cpu/kernels/integer/finish-inl.h"
#include "dovetail/backends/cpu/kernels/integer/multiply-inl.h"
#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_plan.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Numbers and results of a tile along an axis; channels of a block.
constexpr int64_t kTileIn = kWinogradPoints, kTileOut = 4;
constexpr int64_t kTileSpots = kTileIn * kTileIn, kTileBlock = 8;

// out = B^T x for six vectors.
HWY_INLINE void TransformIn(const PairVector* x, PairVector* out,
                            int64_t out_step) {
  const PairVector a = x[0], b = x[1], c = x[2], d = x[3];
  const PairVector e = x[4], f = x[5];
  const auto times_four = [](PairVector v)
                              HWY_ATTR { return hn::ShiftLeft<2>(v); };
  const PairVector even = hn::Sub(e, times_four(c));
  const PairVector odd = hn::Sub(d, times_four(b));
  const PairVector even2 = hn::Sub(e, c);
  const PairVector d_b = hn::Sub(d, b);
  const PairVector odd2 = hn::Add(d_b, d_b);
  out[0] = hn::Add(times_four(hn::Sub(a, c)), even2);
  out[out_step] = hn::Add(even, odd);
  out[2 * out_step] = hn::Sub(even, odd);
  out[3 * out_step] = hn::Add(even2, odd2);
  out[4 * out_step] = hn::Sub(even2, odd2);
  out[5 * out_step] = hn::Sub(hn::Sub(f, d), times_four(d_b));
}

// out = 24 A^T F x: four vectors of six, where F divides by the factors of the
// weights' rows: 24, and 6 for the last. Modulo 2^32, as all sums are.
HWY_INLINE void TransformOut(const SumVector* x, SumVector* out,
                             int64_t out_step) {
  const auto times_four = [](SumVector v)
                              HWY_ATTR { return hn::ShiftLeft<2>(v); };
  const SumVector sum = hn::Add(x[1], x[2]);
  const SumVector difference = hn::Sub(x[1], x[2]);
  const SumVector sum2 = hn::Add(x[3], x[4]);
  const SumVector difference2 = hn::Sub(x[3], x[4]);
  const SumVector twice2 = hn::Add(difference2, difference2);
  out[0] = hn::Add(x[0], hn::Add(sum, sum2));
  out[out_step] = hn::Add(difference, twice2);
  out[2 * out_step] = hn::Add(sum, times_four(sum2));
  out[3 * out_step] = hn::Add(difference, times_four(hn::Add(twice2, x[5])));
}

// x / 576 of a multiple of that modulo 2^32: the quotient is from -2^25 on and
// below 2^25. An odd number has an inverse, which divides by 9.
HWY_INLINE SumVector DividedBy576(SumVector x) {
  constexpr auto kInverseOf9 = static_cast<int32_t>(0x38e38e39);
  return hn::ShiftRight<6>(hn::Mul(x, hn::Set(kSumTag, kInverseOf9)));
}

// What a tile reads of one block: where its first row begins, and the way to
// the next.
template <class Byte>
struct Patch {
  const Byte* data;
  int64_t row_step;
};

// Where a tile reaches beyond the input, a copy with the zero point there.
template <class Byte>
Patch<Byte> FindPatch(const IntegerWinogradPlan& plan, const WinogradTile& tile,
                      const Byte* plane, Byte* copy) {
  const WinogradShape& s = plan.shape;
  if (tile.reads_inside) {
    return {plane + (tile.top * s.columns.input + tile.left) * kTileBlock,
            s.columns.input * kTileBlock};
  }
  std::fill_n(copy, kTileSpots * kTileBlock,
              static_cast<Byte>(plan.zero_point));
  const int64_t begin = std::max<int64_t>(0, -tile.left);
  const int64_t end = std::min(kTileIn, s.columns.input - tile.left);
  for (int64_t i = 0; i < kTileIn && begin < end; ++i) {
    const int64_t y = tile.top + i;
    if (y < 0 || y >= s.rows.input) continue;
    std::copy_n(plane + (y * s.columns.input + tile.left + begin) * kTileBlock,
                (end - begin) * kTileBlock,
                copy + (i * kTileIn + begin) * kTileBlock);
  }
  return {copy, kTileIn * kTileBlock};
}

// Two tiles of one block, to to[spot * spot_step] and behind.
template <class Byte>
HWY_INLINE void TransformTwo(Patch<Byte> left, Patch<Byte> right,
                             int16_t zero_point, int16_t* to,
                             int64_t spot_step) {
  constexpr hn::FixedTag<Byte, 8> half;
  constexpr hn::FixedTag<Byte, 16> bytes;
  const PairVector zeros = hn::Set(kPairTag, zero_point);
  PairVector y[kTileSpots];
  for (int64_t j = 0; j < kTileIn; ++j) {
    PairVector column[kTileIn];
    for (int64_t i = 0; i < kTileIn; ++i) {
      const auto both = hn::Combine(
          bytes,
          hn::LoadU(half, right.data + i * right.row_step + j * kTileBlock),
          hn::LoadU(half, left.data + i * left.row_step + j * kTileBlock));
      column[i] = hn::Sub(hn::PromoteTo(kPairTag, both), zeros);
    }
    TransformIn(column, y + j, kTileIn);
  }
  for (int64_t i = 0; i < kTileIn; ++i) {
    PairVector row[kTileIn];
    TransformIn(y + i * kTileIn, row, 1);
    for (int64_t j = 0; j < kTileIn; ++j) {
      hn::StoreU(row[j], kPairTag, to + (i * kTileIn + j) * spot_step);
    }
  }
}

// One tile of a block of outputs, which begins with the pixel `begin` of all;
// sums are `spot_step` apart.
HWY_INLINE void StoreTile(const IntegerWinogradPlan& plan,
                          const WinogradTile& tile, const int32_t* sums,
                          int64_t spot_step, int64_t begin,
                          const Finish& finish) {
  SumVector y[kTileOut * kTileIn];
  for (int64_t j = 0; j < kTileIn; ++j) {
    SumVector column[kTileIn];
    for (int64_t i = 0; i < kTileIn; ++i) {
      column[i] = hn::LoadU(kSumTag, sums + (i * kTileIn + j) * spot_step);
    }
    TransformOut(column, y + j, kTileIn);
  }
  const int64_t width = plan.shape.columns.output;
  const int64_t first = begin + tile.y * width + tile.x;
  for (int64_t i = 0; i < tile.rows; ++i) {
    SumVector row[kTileOut];
    TransformOut(y + i * kTileIn, row, 1);
    HWY_ALIGN int32_t numbers[kTileOut * kTileBlock];
    for (int64_t j = 0; j < kTileOut; ++j) {
      hn::Store(DividedBy576(row[j]), kSumTag, numbers + j * kTileBlock);
    }
    finish.Store(numbers, (first + i * width) * kTileBlock, tile.columns);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WINOGRAD_TRANSFORM_INL_H_
