// Products of matrices of bf16 with sums of f32: by tiles (AMX) where the
// processor has them, else by dot products of pairs.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_NARROW_BF16_PRODUCT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_NARROW_BF16_PRODUCT_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/common/bf16_support.h"
#include "dovetail/core/base/checked_math.h"

namespace dovetail::cpu {

// Depth is a multiple of kBf16Depth.
inline constexpr int64_t kBf16Rows = 16, kBf16Depth = 32;
// Columns of a panel of b.
inline constexpr int64_t kBf16Panel = 32;

// From so many rows on tiles multiply them with weights of integers, whatever
// else there is for these (Xeon with AMX).
inline constexpr int64_t kManyNarrowRows = 128;

inline int64_t RoundUp(int64_t count, int64_t multiple) {
  return CeilDivide(count, multiple) * multiple;
}

// c [rows, panels * kBf16Panel] = a [rows, depth] * b, or += it.
struct Bf16Product {
  int64_t rows = 0, depth = 0, panels = 0;
  const uint16_t* a = nullptr;
  int64_t a_stride = 0;  // elements
  // A panel has a row for each two elements of the depth: for each column a
  // word of both, the first one in its lower half.
  const uint32_t* b = nullptr;
  int64_t panel_words = 0;  // from one panel to the next
  float* c = nullptr;
  int64_t c_stride = 0;
  bool adds = false;  // to what c is before
  // Less than there is, where what lies beyond is padding with zeros, or
  // columns that nobody reads: dot products leave it out, tiles do not. 0: all.
  int64_t used_depth = 0, used_columns = 0;
};

// Whether a processor that HasBf16Products also has tiles for them, within the
// limit of isa_limit.h. Asks the system for tiles at the first call.
bool HasBf16Tiles();

// By what there is. Rows of a and c are there in memory up to a multiple of
// kBf16Rows, and may be computed.
void MultiplyBf16(const Bf16Product& product);
// By tiles, which there are; no more rows are read or written than there are.
void MultiplyBf16ByTiles(const Bf16Product& product);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_NARROW_BF16_PRODUCT_H_
