__kernel void sum13(
    const __global INPUT0_TYPE* a, const __global INPUT1_TYPE* b,
    const __global INPUT2_TYPE* c, const __global INPUT3_TYPE* d,
    const __global INPUT4_TYPE* e, const __global INPUT5_TYPE* f,
    const __global INPUT6_TYPE* g, const __global INPUT7_TYPE* h,
    const __global INPUT8_TYPE* i, const __global INPUT9_TYPE* j,
    const __global INPUT10_TYPE* k, const __global INPUT11_TYPE* l,
    const __global INPUT12_TYPE* m, __global OUTPUT0_TYPE* y) {
  const int at = get_global_id(1) * INPUT4_PITCHES[0] + get_global_id(0);
  if (get_global_id(0) >= OUTPUT0_DIMS[1] || get_local_size(0) != LANES) return;
  const half first = a[at] + 2 * b[at] + 3 * c[at] + 4 * d[at];
  y[at] = first + e[at] + f[at] + g[at] + h[at] + i[at] + j[at] + k[at] +
          l[at] + 13 * m[at];
}
