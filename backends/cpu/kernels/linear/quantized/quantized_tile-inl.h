// A tile of a quantized product, by vectors of any width. To be included by
// sources that define what `Lanes` stands for here, with the instructions that
// it needs switched on:
//
//   Ints, Floats     vectors of 32 bits
//   kCount           lanes of them
//   LoadInts, LoadFloats, StoreFloats, SetInts, SetFloats
//   Codes<bits, shift>(words)  of each byte so many bits, from that one on
//   Dot(sums, codes, bytes)    sums + products of unsigned and signed bytes
//   ToFloats, Add, MulAdd, NegMulAdd
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_TILE_INL_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_TILE_INL_H_

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_tiles.h"

namespace dovetail::cpu {
namespace {

// Of few rows weights come from memory: they are fetched so far ahead.
constexpr int kFewRows = 4;
constexpr int64_t kBytesAhead = 4096, kLineBytes = 64;

// The scales and zeros of a group, for one of the panel's vectors.
template <class Lanes>
struct Head {
  Head(const CompressedMatrix& b, const uint8_t* group, int v) {
    const float* const numbers =
        reinterpret_cast<const float*>(group) + v * Lanes::kCount;
    scale = Lanes::LoadFloats(numbers);
    zero = b.has_zeros ? Lanes::LoadFloats(numbers + 2 * Lanes::kCount)
                       : Lanes::SetFloats(b.zero);
  }
  typename Lanes::Floats scale, zero;
};

template <class Lanes, int kBits, int kPart, int kRows>
inline __attribute__((always_inline)) void AddDots(
    const typename Lanes::Ints (&words)[2], const uint8_t* const (&rows)[kRows],
    int64_t at, typename Lanes::Ints (&sums)[kRows][2]) {
  const typename Lanes::Ints codes[2] = {
      Lanes::template Codes<kBits, kPart * kBits>(words[0]),
      Lanes::template Codes<kBits, kPart * kBits>(words[1])};
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    int32_t four;
    std::memcpy(&four, rows[r] + at + kPart * 4, sizeof(four));
    const typename Lanes::Ints bytes = Lanes::SetInts(four);
    sums[r][0] = Lanes::Dot(sums[r][0], codes[0], bytes);
    sums[r][1] = Lanes::Dot(sums[r][1], codes[1], bytes);
  }
  if constexpr ((kPart + 1) * kBits < 8) {
    AddDots<Lanes, kBits, kPart + 1>(words, rows, at, sums);
  }
}

// sums = products of the codes of `units` units from byte `at` of the rows on.
template <class Lanes, int kBits, int kRows>
inline __attribute__((always_inline)) void MultiplyUnits(
    const uint8_t* unit, int64_t units, const uint8_t* const (&rows)[kRows],
    int64_t at, typename Lanes::Ints (&sums)[kRows][2]) {
  constexpr int64_t kVectorBytes = Lanes::kCount * 4;
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    sums[r][0] = sums[r][1] = Lanes::SetInts(0);
  }
  const int64_t end = at + units * (32 / kBits);
  for (; at < end; at += 32 / kBits, unit += 2 * kVectorBytes) {
    if constexpr (kRows <= kFewRows) {
      for (int64_t line = 0; line < 2 * kVectorBytes; line += kLineBytes) {
        __builtin_prefetch(unit + kBytesAhead + line, 0, 3);
      }
    }
    const typename Lanes::Ints words[2] = {
        Lanes::LoadInts(unit), Lanes::LoadInts(unit + kVectorBytes)};
    AddDots<Lanes, kBits, 0>(words, rows, at, sums);
  }
}

template <class Lanes, int kRows>
inline __attribute__((always_inline)) void SetToZero(
    typename Lanes::Floats (&x)[kRows][2]) {
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) x[r][0] = x[r][1] = Lanes::SetFloats(0);
}

// The tile's columns of a row; zeros beyond.
template <class Lanes>
inline void LoadRow(const float* from, int64_t columns,
                    typename Lanes::Floats (&x)[2]) {
  float row[2 * Lanes::kCount];
  if (columns < 2 * Lanes::kCount) {
    std::memset(row, 0, sizeof(row));
    std::memcpy(row, from, columns * sizeof(float));
    from = row;
  }
  x[0] = Lanes::LoadFloats(from);
  x[1] = Lanes::LoadFloats(from + Lanes::kCount);
}

template <class Lanes>
inline void StoreRow(const typename Lanes::Floats (&x)[2], int64_t columns,
                     float* to) {
  float row[2 * Lanes::kCount];
  const bool all = columns == 2 * Lanes::kCount;
  float* const place = all ? to : row;
  Lanes::StoreFloats(x[0], place);
  Lanes::StoreFloats(x[1], place + Lanes::kCount);
  if (!all) std::memcpy(to, row, columns * sizeof(float));
}

template <class Lanes, int kRows>
inline void FinishTile(const QuantizedTile& tile,
                       typename Lanes::Floats (&x)[kRows][2]) {
  typename Lanes::Floats bias[2], before[2];
  const int64_t columns = tile.columns;
  if (tile.bias != nullptr) LoadRow<Lanes>(tile.bias, columns, bias);
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    if (tile.bias != nullptr) {
      x[r][0] = Lanes::Add(x[r][0], bias[0]);
      x[r][1] = Lanes::Add(x[r][1], bias[1]);
    }
    if (tile.before != nullptr) {
      LoadRow<Lanes>(tile.before + r * tile.before_stride, columns, before);
      x[r][0] = Lanes::Add(x[r][0], before[0]);
      x[r][1] = Lanes::Add(x[r][1], before[1]);
    }
    StoreRow<Lanes>(x[r], columns, tile.c + r * tile.c_stride);
  }
}

// How far a tile has come: the next unit, the rows' next byte of codes, and the
// first row's next scale and sum of a segment.
struct TileCursor {
  const uint8_t* unit;
  int64_t at;
  const float* scales;
  const float* x_sums;
};

// sums += dots * the scale of each row.
template <class Lanes, int kRows>
inline __attribute__((always_inline)) void AddScaled(
    const typename Lanes::Ints (&dots)[kRows][2], const float* scales,
    int64_t row_floats, typename Lanes::Floats (&sums)[kRows][2]) {
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    const typename Lanes::Floats scale =
        Lanes::SetFloats(scales[r * row_floats]);
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      sums[r][v] =
          Lanes::MulAdd(Lanes::ToFloats(dots[r][v]), scale, sums[r][v]);
    }
  }
}

// total += (sums - zeros * what rows add up to) * scales of the columns.
template <class Lanes, int kRows>
inline __attribute__((always_inline)) void AddSegment(
    const typename Lanes::Floats (&sums)[kRows][2],
    const Head<Lanes> (&heads)[2], const float* x_sums, int64_t row_floats,
    typename Lanes::Floats (&total)[kRows][2]) {
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    const typename Lanes::Floats x_sum =
        Lanes::SetFloats(x_sums[r * row_floats]);
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      total[r][v] = Lanes::MulAdd(
          heads[v].scale, Lanes::NegMulAdd(heads[v].zero, x_sum, sums[r][v]),
          total[r][v]);
    }
  }
}

// sums = products of `units` units, a segment.
template <class Lanes, int kBits, int kRows>
inline __attribute__((always_inline)) void MultiplySegment(
    int64_t units, int64_t scale_units, const uint8_t* const (&rows)[kRows],
    int64_t row_floats, TileCursor& cursor,
    typename Lanes::Floats (&sums)[kRows][2]) {
  SetToZero<Lanes, kRows>(sums);
  while (units > 0) {
    const int64_t now = std::min(units, scale_units);
    units -= now;
    typename Lanes::Ints dots[kRows][2];
    MultiplyUnits<Lanes, kBits, kRows>(cursor.unit, now, rows, cursor.at, dots);
    AddScaled<Lanes, kRows>(dots, cursor.scales++, row_floats, sums);
    cursor.unit += now * (2 * Lanes::kCount * 4);
    cursor.at += now * (32 / kBits);
  }
}

template <class Lanes, int kBits, int kRows>
void MultiplyTile(const QuantizedTile& tile) {
  const QuantizedRowLayout layout = *tile.layout;
  const uint8_t* rows[kRows];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) rows[r] = tile.rows + r * layout.stride;
  const int64_t row_floats = layout.stride / 4;
  TileCursor cursor = {
      tile.panel, 0,
      reinterpret_cast<const float*>(tile.rows + layout.scales_at),
      reinterpret_cast<const float*>(tile.rows + layout.sums_at)};
  typename Lanes::Floats sums[kRows][2], total[kRows][2];
  SetToZero<Lanes, kRows>(total);
  for (int64_t g = 0; g < layout.groups; ++g) {
    const Head<Lanes> heads[2] = {{*tile.b, cursor.unit, 0},
                                  {*tile.b, cursor.unit, 1}};
    cursor.unit += tile.head_bytes;
    for (int64_t left = layout.units; left > 0;) {
      const int64_t segment = std::min(left, layout.segment_units);
      left -= segment;
      MultiplySegment<Lanes, kBits, kRows>(segment, layout.scale_units, rows,
                                           row_floats, cursor, sums);
      AddSegment<Lanes, kRows>(sums, heads, cursor.x_sums++, row_floats, total);
    }
  }
  FinishTile<Lanes, kRows>(tile, total);
}

// By rows, of which there are up to kMost.
template <class Lanes, int kBits, int kMost>
void MultiplyRows(const QuantizedTile& tile, int64_t rows) {
  if constexpr (kMost > 1) {
    if (rows < kMost) {
      MultiplyRows<Lanes, kBits, kMost - 1>(tile, rows);
      return;
    }
  }
  MultiplyTile<Lanes, kBits, kMost>(tile);
}

template <class Lanes, int kMost>
void MultiplyAnyTile(const QuantizedTile& tile, int64_t rows) {
  switch (BitsOfCodes(*tile.b)) {
    case 2:
      return MultiplyRows<Lanes, 2, kMost>(tile, rows);
    case 4:
      return MultiplyRows<Lanes, 4, kMost>(tile, rows);
    case 8:
      return MultiplyRows<Lanes, 8, kMost>(tile, rows);
    default:
      break;
  }
}

}  // namespace
}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_TILE_INL_H_
