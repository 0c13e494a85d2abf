// Epilogue of a matrix multiplication, computed before its elements leave the
// cache: bias, activation function, sum with another tensor.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_EPILOGUE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_EPILOGUE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"

namespace dovetail::cpu {

// Element (row, column) is data[row * row_stride + column * column_stride],
// where column_stride is 0 or 1.
struct EpilogueOperand {
  const float* data = nullptr;
  int64_t row_stride = 0, column_stride = 0;
};

// A rectangle of a matrix.
struct MatrixPart {
  float* data = nullptr;  // element (0, 0) of the whole
  int64_t stride = 0;     // from a row to the next
  int64_t row_begin = 0, row_end = 0;
  int64_t column_begin = 0, column_end = 0;
};

// Replaces the elements by the program's one output, which is f32. Input 0 is
// the element as it is, the others are `operands`, all of them f32. A program
// without instructions does nothing. Takes up to 30 KiB of stack.
void RunEpilogue(const ElementwiseProgram& program,
                 absl::Span<const EpilogueOperand> operands,
                 const MatrixPart& part);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_LINEAR_EPILOGUE_H_
