// Products of rows of bf16 with a matrix that stays compressed in memory: parts
// of its panels are unpacked in the cache, rounded to bf16, and multiplied by
// tiles (AMX).
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_NARROW_UNPACKED_PRODUCT_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_NARROW_UNPACKED_PRODUCT_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"

namespace dovetail::cpu {

// Rows that should be computed by one call: many, as each unpacks the matrix,
// but they have to stay in a cache.
inline constexpr int64_t kUnpackedRowsAtATime = 256;

// c [rows, columns] = a [rows, depth] * b + bias + before.
struct UnpackedProblem {
  CompressedMatrix b;
  const uint8_t* packed_b = nullptr;
  int64_t rows = 0;
  // Rounded to bf16; rows are there, and may be anything, up to a multiple of
  // kBf16Rows, and are padded with zeros to a multiple of kBf16Depth elements
  // (bf16_product.h).
  const uint16_t* a = nullptr;
  int64_t a_stride = 0;
  const float* bias = nullptr;  // of each column; null: zeros
  // A matrix like c, with columns side by side; null: zeros. May be c itself.
  StridedMatrix before;
  float* c = nullptr;
  int64_t c_stride = 0;
};

// Whether the processor multiplies tiles of bf16, within the limit of
// instruction sets.
bool HasUnpackedProducts();

// The part of c that is rows [row_begin, row_end), at most kUnpackedRowsAtATime
// and from a multiple of kBf16Rows on, and the columns of panels [panel_begin,
// panel_end) (gemm.h). Takes up to 50 KiB of stack.
void RunUnpackedProduct(const UnpackedProblem& problem, int64_t row_begin,
                        int64_t row_end, int64_t panel_begin,
                        int64_t panel_end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_NARROW_UNPACKED_PRODUCT_H_
