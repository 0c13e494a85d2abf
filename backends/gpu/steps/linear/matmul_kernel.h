// The text of the kernel that multiplies matrices.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_MATMUL_KERNEL_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_MATMUL_KERNEL_H_

#include <cstdint>
#include <string>

#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// How the second factor is stored: floats; or integers q of 4 bits, two rows in
// a byte, or of 8, each of which means (q - zero point) * scale.
struct WeightText {
  int bits = 32;
  bool is_signed = false;
  // Zero points of groups and columns; else the one that the float `zero` is.
  bool has_zeros = false;
};

// What a work item computes in registers: `rows` by `vectors` of `lanes`
// columns.
struct MatMulBlock {
  int lanes = 16, vectors = 2, rows = 12;
  bool is_batch = false;                   // of several products
  ElementType data = ElementType::kF32;    // of a: as it is stored, or f16
  ElementType stored = ElementType::kF32;  // of panels and result, or f16
  WeightText weights;                      // no floats: of one product

  int columns() const { return lanes * vectors; }
};

// No block has more rows than there are.
MatMulBlock ChooseMatMulBlock(int lanes, int64_t rows, int64_t columns);

// Text of the body. Its range: blocks of rows, panels, products. Its buffers:
// a, b (panels), those of `epilogue`, y; in a batch the ints a_offsets and
// b_numbers come after b. Its ints: rows, columns, depth, a_row, a_column,
// b_matrix. Of integers b is bytes, the buffers s and, if there are, z come
// after it, [panel, group, columns of a panel], and after the ints come groups,
// group (rows of one) and the float `zero`. The last block of rows begins
// earlier and computes some again.
std::string MatMulBody(const MatMulBlock& block, const std::string& epilogue);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_MATMUL_KERNEL_H_
