// MatMul as matrix multiplications in memory.
#ifndef DOVETAIL_BACKENDS_COMMON_LINEAR_MATRIX_SHAPES_H_
#define DOVETAIL_BACKENDS_COMMON_LINEAR_MATRIX_SHAPES_H_

#include <cstdint>
#include <vector>

#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// Distances in elements from one index of an axis to the next.
using ElementStrides = std::vector<int64_t>;

ElementStrides DenseStrides(const Shape& shape);

// A tensor as it lies in memory: dense, or with axes in another order.
struct StridedShape {
  Shape shape;
  ElementStrides strides;
};
StridedShape Dense(const Shape& shape);

// Where each matrix of a tensor, its last two axes, begins when the others
// broadcast to `batch` by the rules of NumPy.
std::vector<int64_t> MatrixOffsets(StridedShape tensor, const Shape& batch);

// One operand of a product: matrices [rows, columns] that begin at `offsets`.
struct MatrixOperand {
  int64_t row_stride = 0, column_stride = 0;
  std::vector<int64_t> offsets;  // of each product; in elements
};

// `batch` products of [rows, depth] and [depth, columns], whose results lie one
// after the other.
struct MatrixShapes {
  int64_t batch = 1, rows = 1, depth = 1, columns = 1;
  MatrixOperand a, b;
  // Where the matrices that differ begin in b, and which one each product has.
  std::vector<int64_t> b_matrices;
  std::vector<int> b_of_product;
};

// Of a MatMul. Products with the same b become one of more rows where the rows
// of a follow each other.
MatrixShapes MatrixShapesOf(StridedShape a, StridedShape b, bool transpose_a,
                            bool transpose_b);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_LINEAR_MATRIX_SHAPES_H_
