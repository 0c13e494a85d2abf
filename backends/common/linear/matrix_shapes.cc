#include "dovetail/backends/common/linear/matrix_shapes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace dovetail {
namespace {

// A vector is a row as a and a column as b, whatever is to be transposed.
void MakeMatrix(StridedShape& tensor, bool transpose, bool is_a) {
  if (tensor.shape.rank() == 1) {
    const int axis = is_a ? 0 : 1;
    tensor.shape.insert(axis, 1);
    tensor.strides.insert(tensor.strides.begin() + axis, 0);
  } else if (transpose) {
    const int last = tensor.shape.rank() - 1;
    std::swap(tensor.shape[last], tensor.shape[last - 1]);
    std::swap(tensor.strides[last], tensor.strides[last - 1]);
  }
}

void PadAxes(StridedShape& tensor, int rank) {
  while (tensor.shape.rank() < rank) {
    tensor.shape.insert(0, 1);
    tensor.strides.insert(tensor.strides.begin(), 0);
  }
}

void FindDifferentB(MatrixShapes& shapes) {
  std::map<int64_t, int> known;
  for (const int64_t offset : shapes.b.offsets) {
    const auto [it, is_new] =
        known.emplace(offset, static_cast<int>(shapes.b_matrices.size()));
    if (is_new) shapes.b_matrices.push_back(offset);
    shapes.b_of_product.push_back(it->second);
  }
}

// All products have the same b, and a is as if it were one matrix.
bool CanStack(const MatrixShapes& shapes) {
  if (shapes.batch == 1) return false;
  const auto& a = shapes.a;
  const int64_t step = a.offsets[1] - a.offsets[0];
  const int64_t row = shapes.rows == 1 ? step : a.row_stride;
  if (row == 0 || step != row * shapes.rows) return false;
  for (int64_t i = 0; i < shapes.batch; ++i) {
    if (a.offsets[i] != i * step || shapes.b.offsets[i] != 0) return false;
  }
  return true;
}

void Stack(MatrixShapes& shapes) {
  if (shapes.rows == 1) shapes.a.row_stride = shapes.a.offsets[1];
  shapes.rows *= shapes.batch;
  shapes.batch = 1;
  shapes.a.offsets = {0};
  shapes.b.offsets = {0};
}

}  // namespace

ElementStrides DenseStrides(const Shape& shape) {
  ElementStrides strides(shape.rank());
  int64_t stride = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

StridedShape Dense(const Shape& shape) { return {shape, DenseStrides(shape)}; }

std::vector<int64_t> MatrixOffsets(StridedShape tensor, const Shape& batch) {
  PadAxes(tensor, batch.rank() + 2);
  std::vector<int64_t> offsets = {0};
  for (int axis = 0; axis < batch.rank(); ++axis) {
    const int64_t stride = tensor.shape[axis] == 1 ? 0 : tensor.strides[axis];
    std::vector<int64_t> next;
    for (const int64_t offset : offsets) {
      for (int64_t i = 0; i < batch[axis]; ++i) {
        next.push_back(offset + i * stride);
      }
    }
    offsets = std::move(next);
  }
  return offsets;
}

MatrixShapes MatrixShapesOf(StridedShape a, StridedShape b, bool transpose_a,
                            bool transpose_b) {
  MakeMatrix(a, transpose_a, true);
  MakeMatrix(b, transpose_b, false);
  const int rank = std::max(a.shape.rank(), b.shape.rank());
  PadAxes(a, rank);
  PadAxes(b, rank);
  Shape batch;
  for (int axis = 0; axis < rank - 2; ++axis) {
    batch.push_back(std::max(a.shape[axis], b.shape[axis]));
  }
  MatrixShapes shapes;
  shapes.batch = batch.Count();
  shapes.rows = a.shape[rank - 2];
  shapes.depth = a.shape[rank - 1];
  shapes.columns = b.shape[rank - 1];
  shapes.a = {a.strides[rank - 2], a.strides[rank - 1],
              MatrixOffsets(a, batch)};
  shapes.b = {b.strides[rank - 2], b.strides[rank - 1],
              MatrixOffsets(b, batch)};
  if (CanStack(shapes)) Stack(shapes);
  FindDifferentB(shapes);
  return shapes;
}

}  // namespace dovetail
