#include "dovetail/core/ops/linear/matmul.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dovetail/core/reference/common/indexing.h"
#include "dovetail/core/reference/common/widen.h"
#include "dovetail/core/reference/linear/linear.h"
#include "dovetail/core/reference/linear/products.h"

namespace dovetail {
namespace {

// An operand as matrices [rows, columns] with leading axes.
struct Operand {
  Shape leading;
  int64_t rows, columns;
  int64_t row_stride, column_stride;
};

Operand AsMatrices(Shape shape, bool transposed, bool vector_is_column) {
  if (shape.rank() == 1) {
    shape.insert(vector_is_column ? 1 : 0, 1);
    transposed = false;
  }
  const int rank = shape.rank();
  Operand operand;
  operand.leading = Shape(shape.dims().subspan(0, rank - 2));
  operand.rows = shape[rank - 2];
  operand.columns = shape[rank - 1];
  operand.row_stride = operand.columns;
  operand.column_stride = 1;
  if (transposed) {
    std::swap(operand.rows, operand.columns);
    std::swap(operand.row_stride, operand.column_stride);
  }
  return operand;
}

// For each product the number of the matrix of `operand` in it.
std::vector<int64_t> MatrixNumbers(const Operand& operand,
                                   const Shape& leading) {
  const int64_t count = leading.Count();
  std::vector<int64_t> numbers(count);
  Odometer<1> at(leading, {BroadcastStrides(operand.leading, leading)});
  for (int64_t i = 0; i < count; ++i, at.Next()) numbers[i] = at.offset(0);
  return numbers;
}

}  // namespace

absl::Status MatMulKernel(KernelContext& context) {
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  const auto& attributes = context.attributes<MatMulAttributes>();
  const Operand a = AsMatrices(context.input(0).shape(), attributes.transpose_a,
                               /*vector_is_column=*/false);
  const Operand b = AsMatrices(context.input(1).shape(), attributes.transpose_b,
                               /*vector_is_column=*/true);
  Shape leading = context.output(0).shape();
  leading.resize(std::max(a.leading.rank(), b.leading.rank()));
  ProductDims dims{a.rows, a.columns, b.columns};
  std::vector<int64_t> a_numbers = MatrixNumbers(a, leading);
  std::vector<int64_t> b_numbers = MatrixNumbers(b, leading);
  if (b.leading.Count() == 1 && !attributes.transpose_a) {
    // All matrices of a times one b: one tall product.
    dims.rows *= leading.Count();
    a_numbers = b_numbers = {0};
  }
  return WithWideTypes(context, 0, [&](KernelContext& wide) {
    return DispatchWideArithmetic(
        wide.input(0).type(), wide, [&](auto tag) {
          using T = typename decltype(tag)::type;
          const T* a_data = wide.input(0).data<T>();
          const T* b_data = wide.input(1).data<T>();
          T* out = wide.output(0).mutable_data<T>();
          MultiplyMatrices<T>(
              wide, static_cast<int64_t>(a_numbers.size()), dims,
              [&](int64_t i) {
                return MatrixProduct<T>{
                    {a_data + a_numbers[i] * a.rows * a.columns, a.row_stride,
                     a.column_stride},
                    {b_data + b_numbers[i] * b.rows * b.columns, b.row_stride,
                     b.column_stride},
                    out + i * dims.rows * dims.columns};
              });
          return absl::OkStatus();
        });
  });
}

}  // namespace dovetail
