// Products of a few rows with a matrix of bf16, all of which is read once and
// one after the other: as fast as it comes from memory.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_NARROW_FEW_ROWS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_NARROW_FEW_ROWS_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/linear/gemm.h"

namespace dovetail::cpu {

inline constexpr int64_t kMaxFewRows = 4;
// Columns of the widest panel, and of what its width is a multiple of.
inline constexpr int64_t kMaxBf16Width = 64, kBf16Columns = 16;

// How a matrix [depth, columns] lies: panel after panel, each with a row for
// each two elements of the depth: for each column a word of both, the first one
// in its lower half. So oneDNN packs weights of bf16, too. Columns, and depth
// up to an even number, are padded with zeros.
struct Bf16Panels {
  int64_t width = 0;  // columns, a multiple of kBf16Columns
  int64_t words = 0;  // from one panel to the next
};

// c [rows, columns] = a [rows, depth] * b + bias + before.
struct FewRowsProblem {
  int64_t rows = 0, depth = 0, columns = 0;  // rows: 1 to kMaxFewRows
  // Rounded to bf16, and padded with a zero to an even depth.
  const uint16_t* a = nullptr;
  int64_t a_stride = 0;
  const uint32_t* b = nullptr;
  Bf16Panels panels;
  const float* bias = nullptr;  // of each column; null: zeros
  // A matrix like c, with columns side by side; null: zeros. May be c itself.
  StridedMatrix before;
  float* c = nullptr;
  int64_t c_stride = 0;
};

// The columns of panels [begin, end) of c. For processors that HasBf16Products
// (bf16_product.h).
void MultiplyFewRows(const FewRowsProblem& problem, int64_t begin, int64_t end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_NARROW_FEW_ROWS_H_
