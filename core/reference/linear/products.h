// Matrix multiplications, many at a time.
#ifndef DOVETAIL_CORE_REFERENCE_LINEAR_PRODUCTS_H_
#define DOVETAIL_CORE_REFERENCE_LINEAR_PRODUCTS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// A matrix somewhere in memory; strides count elements.
template <typename T>
struct MatrixView {
  const T* data = nullptr;
  int64_t row_stride = 0;
  int64_t column_stride = 0;
};

// out [rows, columns], packed, = a [rows, inner] * b [inner, columns].
template <typename T>
struct MatrixProduct {
  MatrixView<T> a, b;
  T* out = nullptr;
};

struct ProductDims {
  int64_t rows, inner, columns;
};

// Computes products 0 … count - 1 of equal dimensions; `product` tells where
// each is, and may be called from several threads. T is float, double or
// uint64_t (any integer: its arithmetic wraps).
template <typename T>
void MultiplyMatrices(const KernelContext& context, int64_t count,
                      const ProductDims& dims,
                      absl::FunctionRef<MatrixProduct<T>(int64_t)> product);

extern template void MultiplyMatrices(
    const KernelContext&, int64_t, const ProductDims&,
    absl::FunctionRef<MatrixProduct<float>(int64_t)>);
extern template void MultiplyMatrices(
    const KernelContext&, int64_t, const ProductDims&,
    absl::FunctionRef<MatrixProduct<double>(int64_t)>);
extern template void MultiplyMatrices(
    const KernelContext&, int64_t, const ProductDims&,
    absl::FunctionRef<MatrixProduct<uint64_t>(int64_t)>);

// a[0] * b[0] + … + a[count - 1] * b[count - 1], as several sums side by side.
template <typename T>
T DotProduct(const T* a, const T* b, int64_t count) {
  constexpr int kLanes = 8;
  T sums[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int lane = 0; lane < kLanes; ++lane) {
      sums[lane] += a[i + lane] * b[i + lane];
    }
  }
  T sum{0};
  for (; i < count; ++i) sum += a[i] * b[i];
  for (int lane = 0; lane < kLanes; ++lane) sum += sums[lane];
  return sum;
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_LINEAR_PRODUCTS_H_
