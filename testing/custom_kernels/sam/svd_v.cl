#include "jacobi.h"

// The right singular vectors, as columns.
__kernel void svd_v(const __global float* m, __global float* y) {
  const int b = get_global_id(0) / 9, element = get_global_id(0) % 9;
  float a[9], v[9];
  for (int i = 0; i < 9; ++i) a[i] = m[b * 9 + i];
  singular_vectors(a, v);
  y[b * 9 + element] = v[element];
}
