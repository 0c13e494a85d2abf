// Four sums of rows by a single work item, which has 80 KB of local memory.
__kernel void solve(const __global float* x, __global float* a,
                    __global float* b, __global float* c, __global float* d) {
  __local float scratch[20480];
  const int columns = OUTPUT0_DIMS[1];
  for (int i = 0; i < columns; ++i) {
    for (int k = 0; k < 4; ++k) scratch[k * columns + i] = x[k * columns + i];
  }
  for (int i = 0; i < columns; ++i) {
    a[i] = scratch[i] + scratch[columns + i];
    b[i] = scratch[i] - scratch[columns + i];
    c[i] = scratch[2 * columns + i] * scratch[3 * columns + i];
    d[i] = i;
  }
}
