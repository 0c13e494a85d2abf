// Sums of products of bytes for windows that see one channel each, and what
// becomes of them: dot products of 16 lanes (AVX-512 with VNNI).
//
// A dot product takes four rows of one column of the window, and two of them
// eight, so that one reading of rows gives what several rows of results need:
// two of 3x3 windows, or four of 5x5 ones.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_COLUMNS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_COLUMNS_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_epilogue.h"

namespace dovetail::cpu {

// Rows of a dot product; how many of these make a sum at most, and how many
// rows of results are computed together.
inline constexpr int kDotColumnRows = 4, kMaxDotBlocks = 2, kMaxDotResults = 4;
// Numbers of a group are in the order in which bytes of rows are interleaved:
// lane `i` of it is that number.
constexpr int64_t DotColumnPlace(int64_t i) {
  return i % 16 / 4 * 16 + i / 16 * 4 + i % 4;
}

// Every `step`th group of elements of some rows of results, channels last.
struct DotColumnRow {
  // Of unsigned bytes, each of `input_size`; null: a row outside. What lies
  // outside of a group's elements are those of `fill`.
  const uint8_t* input[kMaxDotBlocks * kDotColumnRows] = {};
  int64_t input_size = 0;
  const uint8_t* fill = nullptr;
  // Where the first group reads the first column of its windows, from the row's
  // begin on; then to the next column, and to the next group.
  int64_t input_at = 0, column_step = 0, input_step = 0;
  // Of a window.
  int64_t blocks = 1, columns = 3;
  // How many columns of a group are the next one's first, of windows of 3
  // columns and one block; others read theirs anew.
  int64_t shared = 0;
  // What sums begin with, for each lane; the weights [row of results][column]
  // [block][lane][row of the input]. Lanes as DotColumnPlace says.
  const int32_t* first_sums = nullptr;
  const int8_t* weights = nullptr;
  // Rows of `output_size` elements; how many there are, and how many weights
  // are for: 1, 2 or 4. A group is what `lanes` says, and at the end of the row
  // what there is.
  char* output[kMaxDotResults] = {};
  int64_t rows = 1, weight_rows = 2;
  int64_t output_at = 0, output_step = 0, output_size = 0;
  int64_t lanes = kDotGroup;
};

// The epilogue's lanes are as DotColumnPlace says, and it adds nothing. Does
// nothing where HasDotLanes() is false.
void RunDotColumns(const DotColumnRow& row, const DotEpilogue& epilogue);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_COLUMNS_H_
