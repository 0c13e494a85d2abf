// What a GemmStep multiplies, and how.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_OPTIONS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/backends/common/linear/matrix_shapes.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_program.h"
#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"
#include "dovetail/backends/cpu/kernels/linear/narrow/few_rows.h"

namespace dovetail::cpu {

// An operand of what is computed of the products: of product p, element (row,
// column) is at offsets[p] + row * row_stride + column * column_stride.
struct EpilogueInput {
  int64_t row_stride = 0, column_stride = 0;
  std::vector<int64_t> offsets;
};

// How a step reads its second factor.
enum class SecondFactor {
  kPackedInEachRun,  // to the step's scratch memory
  kPacked,           // its different matrices one after the other
  kInPlace,          // as it lies: GemmProblem::b
};

struct GemmStepOptions {
  MatrixShapes shapes;
  SecondFactor b = SecondFactor::kPackedInEachRun;
  bool asks_ahead = false;  // GemmProblem's
  // What input 1 is where it is compressed; then it is one matrix.
  std::optional<CompressedMatrix> compressed;
  // Elements of the rows of a that are quantized together, in each run, to
  // multiply them with what is compressed; 0: they are not.
  int64_t quantization_group = 0;
  // Whether rows of a are rounded to bf16 in each run, or `is_rounded` already,
  // to multiply them with `panels`, or else with what is compressed, unpacked
  // and rounded too. There is one product then, whose rows are dense.
  bool narrow = false, is_rounded = false;
  // What input 1 is for up to kMaxFewRows narrow rows.
  std::optional<Bf16Panels> panels;
  // Of the sums, and of the step's inputs 2, 3, …
  ElementwiseProgram epilogue;
  std::vector<EpilogueInput> epilogue_inputs;
  // What is added to the products, the inputs after those of the epilogue: the
  // same for all rows, and anything of column_stride 1. Of compressed ones only
  // where rows are quantized, narrow, or more than kMaxThinRows.
  std::optional<EpilogueInput> bias, before;
  int threads = 1;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_OPTIONS_H_
