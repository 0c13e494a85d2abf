// The reciprocal root of the mean of squares of each row, by a group.
__kernel void rms(const __global INPUT0_TYPE* x, const __global float* eps,
                  __global OUTPUT0_TYPE* y) {
  __local float sums[GROUP];
  const int n = INPUT0_DIMS[1], lane = get_local_id(0), row = get_group_id(0);
  float sum = 0;
  for (int i = lane; i < n; i += GROUP) sum += x[row * n + i] * x[row * n + i];
  sums[lane] = sum;
  for (int half_of = GROUP / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < half_of) sums[lane] += sums[lane + half_of];
  }
  if (lane == 0) y[row] = rsqrt(sums[0] / n + eps[0]);
}
