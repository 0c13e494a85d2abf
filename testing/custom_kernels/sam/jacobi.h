#pragma once

// Singular values of a 3 by 3 matrix A by one-sided Jacobi rotations: columns
// of A V become orthogonal. Both are stored by rows.
void rotate_columns(float* m, int p, int q, float c, float s) {
  for (int row = 0; row < 3; ++row) {
    const float x = m[row * 3 + p], y = m[row * 3 + q];
    m[row * 3 + p] = c * x - s * y;
    m[row * 3 + q] = s * x + c * y;
  }
}

float column_product(const float* m, int p, int q) {
  return m[p] * m[q] + m[3 + p] * m[3 + q] + m[6 + p] * m[6 + q];
}

void orthogonalize(float* a, float* v) {
  for (int i = 0; i < 9; ++i) v[i] = i % 4 == 0;
  for (int turn = 0; turn < 30; ++turn) {
    const int p = turn % 3 == 2 ? 1 : 0, q = turn % 3 == 0 ? 1 : 2;
    const float both = column_product(a, p, q);
    if (fabs(both) < 1e-20f) continue;
    const float zeta =
        (column_product(a, q, q) - column_product(a, p, p)) / (2 * both);
    const float t =
        (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    const float c = rsqrt(1 + t * t);
    rotate_columns(a, p, q, c, c * t);
    rotate_columns(v, p, q, c, c * t);
  }
}

// The greatest singular value first; in each column of V what is furthest from
// zero is positive. A becomes A V.
void singular_vectors(float* a, float* v) {
  orthogonalize(a, v);
  for (int turn = 0; turn < 3; ++turn) {
    const int p = turn == 1 ? 1 : 0;
    if (column_product(a, p, p) >= column_product(a, p + 1, p + 1)) continue;
    rotate_columns(a, p, p + 1, 0, 1);
    rotate_columns(v, p, p + 1, 0, 1);
  }
  for (int p = 0; p < 3; ++p) {
    float most = 0;
    for (int row = 0; row < 3; ++row) {
      if (fabs(v[row * 3 + p]) > fabs(most)) most = v[row * 3 + p];
    }
    for (int row = 0; row < 3 && most < 0; ++row) {
      v[row * 3 + p] = -v[row * 3 + p];
      a[row * 3 + p] = -a[row * 3 + p];
    }
  }
}
