// Linear attention with decay: a state per column of values.
__kernel void scan(const __global float* q, const __global float* k,
                   const __global float* v, const __global float* decay,
                   __global float* y) {
  const int b = get_global_id(1), column = get_global_id(0);
  const int times = INPUT0_DIMS[1], width = INPUT0_DIMS[2];
  const int columns = OUTPUT0_DIMS[2];
  float state[16];
  for (int i = 0; i < width; ++i) state[i] = 0;
  for (int t = 0; t < times; ++t) {
    const int row = b * times + t;
    float sum = 0;
    for (int i = 0; i < width; ++i) {
      state[i] = state[i] * decay[row] +
                 k[row * width + i] * v[row * columns + column];
      sum += q[row * width + i] * state[i];
    }
    y[row * columns + column] = sum;
  }
}
