#include "jacobi.h"

// The left singular vectors, as columns.
__kernel void svd_u(const __global float* m, __global float* y) {
  const int b = get_global_id(0) / 9, element = get_global_id(0) % 9;
  float a[9], v[9];
  for (int i = 0; i < 9; ++i) a[i] = m[b * 9 + i];
  singular_vectors(a, v);
  const int column = element % 3;
  y[b * 9 + element] = a[element] * rsqrt(column_product(a, column, column));
}
