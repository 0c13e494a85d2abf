// Rows of the first factor of a product, quantized while the model runs: signed
// bytes for dot products with the codes of a matrix that stays compressed.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_ROWS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_ROWS_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"

namespace dovetail::cpu {

// How many bits the matrix' codes have; 0: they are not integers, and there are
// no dot products with them.
int BitsOfCodes(const CompressedMatrix& b);

// Where what lies in a quantized row: the codes, then a scale for each group of
// codes, then a number for each segment, which is what the segment's elements
// add up to as they are quantized. Element k is its code times the scale of its
// group.
//
// A segment is some groups, and all elements that are multiplied with a group
// of rows of the matrix are some segments. Codes are as many as the matrix has
// rows with those that pad it, zeros; those of one unit of the matrix are in
// the order in which masks and shifts take the unit apart: element k of it is
// number k % parts * 4 + k / parts, where a word has codes of so many parts of
// four bytes.
struct QuantizedRowLayout {
  // `group`: elements that share a scale, at least 1. It becomes whole units,
  // at most as many as a group of the matrix has, and few enough for sums of 32
  // bits.
  QuantizedRowLayout(const CompressedMatrix& b, int64_t group);

  int64_t unit;           // elements of a unit
  int64_t units, groups;  // in a group of the matrix, of the matrix
  int64_t scale_units;    // units that share a scale
  int64_t segment_units;  // units of a segment

  int64_t scales, segments;  // of a row
  // In bytes from the row's begin.
  int64_t scales_at, sums_at;
  // Bytes from a row to the next; a multiple of 64.
  int64_t stride;
};

// Rounds rows [begin, end) of a [rows, b.depth] to codes from -127 to 127, of
// which the greatest magnitude of a group is the last. `to` is aligned to 64
// bytes and gets them where they belong. What is not finite makes its group's
// scale, and so all products with the group, not finite.
void QuantizeRows(const CompressedMatrix& b, const QuantizedRowLayout& layout,
                  const float* a, int64_t a_stride, int64_t begin, int64_t end,
                  uint8_t* to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_ROWS_H_
