// The vector code of narrow_product.h: AVX-512 with VNNI or bf16. Without,
// these functions do nothing.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_TILES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_TILES_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/recurrent/narrow_form.h"

namespace dovetail::cpu {

struct NarrowSizes {
  int64_t depth = 0, units = 0;
  int64_t plane_bytes = 0, row_bytes = 0, panel_bytes = 0;
};

// A row of codes begins with its scale, alone in a cache line; then planes of
// the numbers' bytes follow, the highest first.
inline constexpr int64_t kNarrowRowHead = 64;

// To a scale and `planes` of bytes, 2 or 3.
void CutRow(const float* from, const NarrowSizes& sizes, int planes,
            uint8_t* to);

// Some rows times one panel or two.
using NarrowTile = void (*)(const NarrowSizes& sizes, const uint8_t* rows,
                            const uint8_t* panels, float* sums,
                            int64_t sums_stride);
struct NarrowTiles {
  int64_t rows = 0;          // at most
  NarrowTile of[2][6] = {};  // [is a pair of panels][rows - 1]
};
NarrowTiles TilesOf(NarrowForm form);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_TILES_H_
