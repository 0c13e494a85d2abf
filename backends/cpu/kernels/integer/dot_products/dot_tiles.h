// Sums of products of bytes for some pixels of a row by vectors of channels, and
// what becomes of them: dot products of 16 lanes (AVX-512 with VNNI).
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_TILES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_TILES_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/integer_epilogue.h"

namespace dovetail::cpu {

// Whether the processor has the instructions, and the limit of instruction sets
// allows them. Without, the functions below do nothing.
bool HasDotTiles();

inline constexpr int64_t kDotLanes = 16;
// Vectors of channels that are computed together: a group.
inline constexpr int64_t kDotVectors = 4;
inline constexpr int64_t kDotGroup = kDotVectors * kDotLanes;

// An epilogue's numbers of the channels of a group. Where results are integers,
// the output's scale is a part of all factors from the start.
class DotEpilogue {
 public:
  // Channels [first, first + count) of it, at most kDotGroup.
  DotEpilogue(const IntegerEpilogue& epilogue, int64_t first, int64_t count);

  // ---- For the kernel ----

  alignas(64) float scale[kDotGroup], shift[kDotGroup];
  alignas(64) float slope[kDotGroup], last_shift[kDotGroup];
  alignas(64) float step[kDotGroup], offset[kDotGroup];  // of a grid
  alignas(64) float low[kDotGroup], high[kDotGroup];
  alignas(64) float residual_scale[kDotGroup];
  bool has_grid, has_slope;
  // Whether limits from below are those of the type.
  bool is_low_of_type;
  float grid_low, grid_high;
  ElementType residual_type, output_type;
};

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

void RunDotRow(const DotRow& row, const DotEpilogue& epilogue);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_DOT_PRODUCTS_DOT_TILES_H_
