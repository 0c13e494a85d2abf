// Matrix multiplications of rows that are quantized while the model runs with a
// matrix of integers that stays compressed, by dot products of bytes.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_GEMM_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_GEMM_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"
#include "dovetail/backends/cpu/kernels/linear/gemm.h"
#include "dovetail/backends/cpu/kernels/linear/quantized/quantized_rows.h"

namespace dovetail::cpu {

// Whether the processor has dot products of bytes (AVX-512 with VNNI, or AVX2
// with VNNI), and the limit of instruction sets allows them.
bool HasQuantizedGemm();

// Rows that are computed together; 1 without HasQuantizedGemm().
int64_t QuantizedTileRows();

// c [rows, columns] = a [rows, depth] * b + bias + before, of which a is what
// QuantizeRows has made of it. BitsOfCodes(b) is not 0.
struct QuantizedProblem {
  CompressedMatrix b;
  const uint8_t* packed_b = nullptr;
  int64_t group = 0;  // as QuantizedRowLayout has it
  const uint8_t* rows = nullptr;
  const float* bias = nullptr;  // of each column; null: zeros
  // A matrix like c, with columns side by side; null: zeros. May be c itself.
  StridedMatrix before;
  float* c = nullptr;
  int64_t c_stride = 0;
};

// The part of c that is rows [row_begin, row_end) and the columns of panels
// [panel_begin, panel_end). Does nothing without HasQuantizedGemm().
void RunQuantizedGemm(const QuantizedProblem& problem, int64_t row_begin,
                      int64_t row_end, int64_t panel_begin, int64_t panel_end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_QUANTIZED_QUANTIZED_GEMM_H_
