#include "dovetail/core/reference/linear/products.h"

#include <algorithm>
#include <array>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/reference/common/parallel.h"
#include "dovetail/core/reference/common/scaled_rows.h"

namespace dovetail {
namespace {

// A tile of the output and a block of b stay in the caches next to the core:
// 32 x 128 sums, 128 x 128 elements of b.
constexpr int64_t kTileRows = 32;
constexpr int64_t kTileColumns = 128;
constexpr int64_t kBlock = 128;

// One tile of one product.
template <typename T>
class Tile {
 public:
  Tile(const MatrixProduct<T>& product, const ProductDims& dims, int64_t row,
       int64_t column)
      : product_(product),
        dims_(dims),
        row_(row),
        column_(column),
        rows_(std::min(kTileRows, dims.rows - row)),
        columns_(std::min(kTileColumns, dims.columns - column)) {}

  // `sums` has room for a tile, `block` for a block of b.
  void Run(std::vector<T>& sums, std::vector<T>& block) const {
    std::fill(sums.begin(), sums.end(), T{0});
    for (int64_t k = 0; k < dims_.inner; k += kBlock) {
      const int64_t depth = std::min(kBlock, dims_.inner - k);
      const T* b = product_.b.data + k * product_.b.row_stride +
                   column_ * product_.b.column_stride;
      int64_t pitch = product_.b.row_stride;
      if (product_.b.column_stride != 1) {
        Pack(b, depth, block);
        b = block.data();
        pitch = columns_;
      }
      int64_t row = 0;
      for (; row + 4 <= rows_; row += 4) {
        AddRows<4>(row, k, depth, b, pitch, sums);
      }
      for (; row < rows_; ++row) AddRows<1>(row, k, depth, b, pitch, sums);
    }
    for (int64_t row = 0; row < rows_; ++row) {
      std::copy_n(sums.data() + row * kTileColumns, columns_,
                  product_.out + (row_ + row) * dims_.columns + column_);
    }
  }

 private:
  // Copies a block of b so that its rows are contiguous.
  void Pack(const T* b, int64_t depth, std::vector<T>& block) const {
    for (int64_t column = 0; column < columns_; ++column) {
      const T* source = b + column * product_.b.column_stride;
      for (int64_t k = 0; k < depth; ++k) {
        block[k * columns_ + column] = source[k * product_.b.row_stride];
      }
    }
  }

  template <int kRows>
  void AddRows(int64_t row, int64_t k, int64_t depth, const T* b,
               int64_t pitch, std::vector<T>& sums) const {
    const MatrixView<T>& a = product_.a;
    const T* element =
        a.data + (row_ + row) * a.row_stride + k * a.column_stride;
    for (int64_t i = 0; i < depth; ++i, element += a.column_stride) {
      std::array<T, kRows> weights;
      for (int r = 0; r < kRows; ++r) weights[r] = element[r * a.row_stride];
      AddScaledRows<T>(weights, b + i * pitch, 1, columns_, kTileColumns,
                       sums.data() + row * kTileColumns);
    }
  }

  const MatrixProduct<T>& product_;
  const ProductDims& dims_;
  int64_t row_, column_, rows_, columns_;
};

// A row of a times the columns begin … end - 1 of b, which are contiguous.
template <typename T>
void MultiplyRow(const MatrixProduct<T>& product, int64_t inner, int64_t begin,
                 int64_t end) {
  for (int64_t column = begin; column < end; ++column) {
    product.out[column] =
        DotProduct(product.a.data,
                   product.b.data + column * product.b.column_stride, inner);
  }
}

// Rows begin … end - 1 of a, which are contiguous, times the column of b.
template <typename T>
void MultiplyColumn(const MatrixProduct<T>& product, int64_t inner,
                    int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    product.out[row] = DotProduct(product.a.data + row * product.a.row_stride,
                                  product.b.data, inner);
  }
}

// A row or a column of the output, where dot products read both factors in
// order; false when they would not.
template <typename T>
bool MultiplyVector(const MatrixProduct<T>& product, const ProductDims& dims,
                    int64_t row, int64_t column) {
  if (product.a.column_stride != 1 || product.b.row_stride != 1) return false;
  if (dims.rows == 1) {
    MultiplyRow(product, dims.inner, column,
                std::min(column + kTileColumns, dims.columns));
    return true;
  }
  if (dims.columns == 1) {
    MultiplyColumn(product, dims.inner, row,
                   std::min(row + kTileRows, dims.rows));
    return true;
  }
  return false;
}

}  // namespace

template <typename T>
void MultiplyMatrices(const KernelContext& context, int64_t count,
                      const ProductDims& dims,
                      absl::FunctionRef<MatrixProduct<T>(int64_t)> product) {
  if (count == 0 || dims.rows == 0 || dims.columns == 0) return;
  const int64_t row_tiles = CeilDivide(dims.rows, kTileRows);
  const int64_t column_tiles = CeilDivide(dims.columns, kTileColumns);
  const int64_t cost = std::min(dims.rows, kTileRows) *
                       std::min(dims.columns, kTileColumns) *
                       std::max<int64_t>(dims.inner, 1) / 4;
  ParallelLoop(
      context, count * row_tiles * column_tiles, cost,
      [&](int64_t i, int64_t end) {
        std::vector<T> sums(kTileRows * kTileColumns);
        std::vector<T> block(kBlock * kTileColumns);
        for (; i < end; ++i) {
          const MatrixProduct<T> one = product(i / column_tiles / row_tiles);
          const int64_t row = i / column_tiles % row_tiles * kTileRows;
          const int64_t column = i % column_tiles * kTileColumns;
          if (!MultiplyVector(one, dims, row, column)) {
            Tile<T>(one, dims, row, column).Run(sums, block);
          }
        }
      });
}

template void MultiplyMatrices(
    const KernelContext&, int64_t, const ProductDims&,
    absl::FunctionRef<MatrixProduct<float>(int64_t)>);
template void MultiplyMatrices(
    const KernelContext&, int64_t, const ProductDims&,
    absl::FunctionRef<MatrixProduct<double>(int64_t)>);
template void MultiplyMatrices(
    const KernelContext&, int64_t, const ProductDims&,
    absl::FunctionRef<MatrixProduct<uint64_t>(int64_t)>);

}  // namespace dovetail
