// Sums of products of bytes for some pixels of a row by vectors of channels, and
// what becomes of them: dot products of 16 lanes (AVX-512 with VNNI).
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_TILES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_TILES_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/dot_products/dot_epilogue.h"

namespace dovetail::cpu {

// Pixels of a row, and a group of their channels.
struct DotRow {
  int64_t pixels = 0, channels = 0;  // channels: at most kDotGroup
  // Four bytes at a time, unsigned: those of a pixel's window are `rows` rows
  // of `products` times four.
  const uint8_t* input = nullptr;
  int64_t input_step = 0;               // from a pixel's window to the next
  int64_t rows = 1, row_step = 0;       // of a window
  int64_t products = 0, product_step = 4;  // of a row
  // What sums begin with, and the weights [row][product][channels][4] with
  // channels of whole vectors.
  const int32_t* first_sums = nullptr;
  const int8_t* weights = nullptr;
  // The channels of the first pixel, and bytes from a pixel to the next. The
  // residual, or none, may be the output's memory.
  const char* residual = nullptr;
  int64_t residual_step = 0;
  char* output = nullptr;
  int64_t output_step = 0;
};

// Does nothing where HasDotLanes() is false.
void RunDotRow(const DotRow& row, const DotEpilogue& epilogue);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_TILES_H_
