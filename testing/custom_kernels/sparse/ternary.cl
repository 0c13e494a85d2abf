// Weights of -1, 0 and 1 at the inputs that indices name.
__kernel void ternary(const __global float* x,
                      const __global INPUT1_TYPE* indices,
                      const __global float* weights, __global float* y) {
  const int out = get_global_id(1), row = get_global_id(0);
  const int terms = INPUT1_DIMS[1];
  float sum = 0;
  for (int t = 0; t < terms; ++t) {
    sum += weights[out * terms + t] *
           x[row * INPUT0_DIMS[1] + indices[out * terms + t]];
  }
  y[row * OUTPUT0_DIMS[1] + out] = sum;
}
