// Matrix multiplications of f32 with one that stays compressed in memory: a few
// rows are multiplied with the codes as they are loaded, more rows with parts
// of panels that are unpacked in the cache.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_GEMM_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_GEMM_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"

namespace dovetail::cpu {

// So many rows, all of them, are a few.
inline constexpr int64_t kMaxThinRows = 6;

// c [rows, columns] = a [rows, depth] * b + bias + before; the last two only
// for more than kMaxThinRows.
struct CompressedProblem {
  CompressedMatrix b;
  const uint8_t* packed_b = nullptr;
  int64_t rows = 0;
  const float* a = nullptr;
  int64_t a_stride = 0;  // between rows; their elements are dense
  // What PrepareThinRows has made of a; only for up to kMaxThinRows.
  const float* thin_rows = nullptr;
  const float* bias = nullptr;  // of each column; null: zeros
  StridedMatrix before;         // columns are side by side; null: zeros
  float* c = nullptr;
  int64_t c_stride = 0;
};

// Elements of memory for thin rows; 0 when there are more rows than that.
int64_t ThinRowsElements(const CompressedMatrix& b, int64_t rows);
void PrepareThinRows(const CompressedProblem& problem, float* thin_rows);

// The part of c that is rows [row_begin, row_end), at most kGemmRowsAtATime
// (gemm.h; all of them where they are few), and the columns of panels
// [panel_begin, panel_end). Takes up to 180 KiB of stack.
void RunCompressedGemm(const CompressedProblem& problem, int64_t row_begin,
                       int64_t row_end, int64_t panel_begin, int64_t panel_end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_COMPRESSED_GEMM_H_
