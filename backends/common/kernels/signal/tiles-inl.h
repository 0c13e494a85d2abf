// Lines of an array, and tiles of them as stages-inl.h has them. Compiled once
// per instruction set: include it after highway.h in a file of
// foreach_target.h.
#if defined(DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_TILES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_TILES_INL_H_
#undef DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_TILES_INL_H_
#else
#define DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_TILES_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/common/kernels/movement/transpose_tile.h"
#include "dovetail/backends/common/kernels/signal/stages-inl.h"
#include "dovetail/backends/common/kernels/simd/rows-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {

// How some lines of an array {outer, length, inner} lie: side by side, or, of
// inner 1, one behind the other. Of complex numbers `length` and `inner` count
// the pairs.
struct Lines {
  bool behind() const { return inner == 1; }
  int64_t length, inner;
  int64_t count;  // of lines, as many as a vector has lanes at most
};

// Two vectors of which `count` numbers are in memory, not all.
HWY_INLINE void LoadTwo(const float* from, int64_t count, RowVector& a,
                        RowVector& b) {
  const RowTag d;
  const int64_t lanes = RowLanes();
  if (count >= lanes) {
    a = hn::LoadU(d, from);
    b = LoadFew(from + lanes, count - lanes, 0);
  } else {
    a = LoadFew(from, count, 0);
    b = hn::Zero(d);
  }
}

HWY_INLINE void StoreTwo(RowVector a, RowVector b, float* to, int64_t count) {
  const RowTag d;
  const int64_t lanes = RowLanes();
  if (count >= lanes) {
    hn::StoreU(a, d, to);
    StoreFew(b, to + lanes, count - lanes);
  } else {
    StoreFew(a, to, count);
  }
}

// From lines that lie behind each other, `numbers` of each, to columns of the
// tile, and back. Columns without a line become zero.
inline void TurnLines(const float* from, int64_t stride, int64_t count,
                      int64_t numbers, float* to, int64_t to_stride) {
  if (count < RowLanes()) {
    for (int64_t i = 0; i < numbers; ++i) {
      std::fill_n(to + i * to_stride, RowLanes(), 0.0f);
    }
  }
  FindTransposeTile(sizeof(float))(from, stride, to, to_stride, count, numbers);
}

inline void TurnBack(const float* from, int64_t from_stride, int64_t numbers,
                     float* to, int64_t stride, int64_t count) {
  FindTransposeTile(sizeof(float))(from, from_stride, to, stride, numbers,
                                   count);
}

// `rows` elements of complex lines to as many rows of a tile.
inline void LoadComplex(const float* from, const Lines& lines, int64_t rows,
                        float* tile) {
  const RowTag d;
  const int64_t row = TileRow(), lanes = RowLanes();
  if (lines.behind()) {
    TurnLines(from, 2 * lines.length, lines.count, 2 * rows, tile, lanes);
    return;
  }
  HWY_ALIGN float few[2 * HWY_LANES(float)];
  for (int64_t k = 0; k < rows; ++k, from += 2 * lines.inner, tile += row) {
    RowVector re, im;
    if (lines.count >= lanes) {
      hn::LoadInterleaved2(d, from, re, im);
    } else {
      LoadTwo(from, 2 * lines.count, re, im);
      hn::Store(re, d, few);
      hn::Store(im, d, few + lanes);
      hn::LoadInterleaved2(d, few, re, im);
    }
    hn::Store(re, d, tile);
    hn::Store(im, d, tile + lanes);
  }
}

inline void StoreComplex(const float* tile, int64_t rows, const Lines& lines,
                         float* to) {
  const RowTag d;
  const int64_t row = TileRow(), lanes = RowLanes();
  if (lines.behind()) {
    TurnBack(tile, lanes, 2 * rows, to, 2 * lines.length, lines.count);
    return;
  }
  HWY_ALIGN float few[2 * HWY_LANES(float)];
  for (int64_t k = 0; k < rows; ++k, to += 2 * lines.inner, tile += row) {
    const RowVector re = hn::Load(d, tile), im = hn::Load(d, tile + lanes);
    if (lines.count >= lanes) {
      hn::StoreInterleaved2(re, im, d, to);
    } else {
      hn::StoreInterleaved2(re, im, d, few);
      StoreTwo(hn::Load(d, few), hn::Load(d, few + lanes), to, 2 * lines.count);
    }
  }
}

// `numbers` of real lines to as many vectors, each `step` behind the one
// before.
inline void LoadReal(const float* from, const Lines& lines, int64_t numbers,
                     float* to, int64_t step) {
  if (lines.behind()) {
    TurnLines(from, lines.length, lines.count, numbers, to, step);
    return;
  }
  const RowTag d;
  const bool all = lines.count >= RowLanes();
  for (int64_t k = 0; k < numbers; ++k, from += lines.inner, to += step) {
    hn::Store(all ? hn::LoadU(d, from) : LoadFew(from, lines.count, 0), d, to);
  }
}

inline void StoreReal(const float* from, int64_t step, int64_t numbers,
                      const Lines& lines, float* to) {
  if (lines.behind()) {
    TurnBack(from, step, numbers, to, lines.length, lines.count);
    return;
  }
  const RowTag d;
  const bool all = lines.count >= RowLanes();
  for (int64_t k = 0; k < numbers; ++k, from += step, to += lines.inner) {
    if (all) {
      hn::StoreU(hn::Load(d, from), d, to);
    } else {
      StoreFew(hn::Load(d, from), to, lines.count);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_SIGNAL_TILES_INL_H_
