// Tiles of quantized products, for each width of vectors.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_TILES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_TILES_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_rows.h"

namespace dovetail::cpu {

// Some rows by the columns of a panel.
struct QuantizedTile {
  const CompressedMatrix* b = nullptr;
  const QuantizedRowLayout* layout = nullptr;
  const uint8_t* panel = nullptr;
  int64_t head_bytes = 0;         // of b
  const uint8_t* rows = nullptr;  // the first of them
  int64_t columns = 0;            // that are stored
  float* c = nullptr;
  int64_t c_stride = 0;
  // What is added: the same to all rows, and to each its own; null: nothing.
  const float* bias = nullptr;
  const float* before = nullptr;
  int64_t before_stride = 0;
};

// Panels have two vectors of 16 or 8 columns.
inline constexpr int kTileRowsBy16 = 6, kTileRowsBy8 = 4;

// Computes `rows` rows, at most as many as a tile has.
void RunQuantizedTileBy16(const QuantizedTile& tile, int64_t rows);
void RunQuantizedTileBy8(const QuantizedTile& tile, int64_t rows);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_TILES_H_
