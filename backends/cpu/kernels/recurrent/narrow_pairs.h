// The vector code of narrow_product.h for processors without dot products of
// bytes: AVX2. Without, these functions do nothing.
//
// Numbers of a row are cut into a high part of 16 bits and a low one of 7, or
// are of 16 bits. Codes are widened in registers to be multiplied with the high
// ones, and multiplied as bytes with the low ones; all products are summed in
// 32 bits.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_PAIRS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_PAIRS_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/recurrent/narrow_tiles.h"

namespace dovetail::cpu {

// A panel is scales, f32, for each column, and then for each unit of four rows
// of the matrix a word of a column's codes: those of rows 0, 2, 1, 3, so that
// the low bytes of 16 bits are of neighbouring rows, and the high ones, too.
inline constexpr int64_t kPairsPanel = 16;
inline constexpr int64_t kPairsHead = kPairsPanel * 4;
inline constexpr int kPlaceInWord[4] = {0, 2, 1, 3};

// To a scale and a plane of high parts, and one of low parts if there are any.
void CutRowForPairs(const float* from, const NarrowSizes& sizes, bool has_low,
                    uint8_t* to);

NarrowTiles PairsTiles(NarrowForm form);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_PAIRS_H_
