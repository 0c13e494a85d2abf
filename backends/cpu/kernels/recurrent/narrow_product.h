// Products of rows of f32 with a constant matrix whose elements are stored in
// fewer bits, for steps of recurrences, which read all of it each time.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_PRODUCT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_PRODUCT_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/recurrent/narrow_form.h"

namespace dovetail::cpu {

// Whether this processor has the instructions, and the limit of instruction
// sets allows them: AVX-512 with bf16, or with VNNI; or AVX2.
bool HasNarrowProducts(NarrowForm form);

// Of a row's elements: sums of more would overflow, or those of pairs be of too
// few bits.
inline constexpr int64_t MaxNarrowDepth(NarrowForm form) {
  return int64_t{1} << (form == NarrowForm::kPairs16 ? 10
                        : form == NarrowForm::kPairs ? 12
                                                     : 16);
}

// A panel is, for codes, what the sums begin with, i32 (not of pairs), and the
// scales, f32, for each column; and then units of 32 bits a column: two bf16 or
// four codes of successive rows of the matrix. The last unit is padded with
// zeros, and bf16 up to what a tile multiplies (kBf16Depth).
int64_t NarrowPanelBytes(NarrowForm form, int64_t depth);

// The first `columns` columns of a panel; those that are missing are zeros.
// Column j is `depth` numbers from columns_of + j * depth. For codes all of
// them have codes.
void PackNarrowPanel(NarrowForm form, const float* columns_of, int64_t columns,
                     int64_t depth, void* packed);

// A row as it is multiplied: a multiple of 64 bytes.
int64_t NarrowRowBytes(NarrowForm form, int64_t depth);

struct NarrowProduct {
  NarrowForm form = NarrowForm::kBf16;
  int64_t depth = 0;
  const void* rows = nullptr;    // NarrowRowBytes apart, aligned to 64 bytes
  const void* panels = nullptr;  // NarrowPanelBytes apart
  float* sums = nullptr;         // panels side by side
  int64_t sums_stride = 0;       // between rows
};

// Rows [begin, end) of f32, `stride` apart, to where they belong in `prepared`.
void PrepareNarrowRows(NarrowForm form, const float* rows, int64_t stride,
                       int64_t depth, int64_t begin, int64_t end,
                       void* prepared);

// How many rows had best be multiplied while panels are in the cache: whole tiles
// of each kind.
inline constexpr int64_t kNarrowRowsAtATime = 96;

// The part of the sums that is these rows and panels.
void RunNarrowProduct(const NarrowProduct& product, int64_t row_begin,
                      int64_t row_end, int64_t panel_begin, int64_t panel_end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_NARROW_PRODUCT_H_
