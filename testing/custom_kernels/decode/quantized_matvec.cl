// Weights of four bits, two in a byte, with a scale for each 32 of a row: a
// group for each row.
__kernel __attribute__((reqd_work_group_size(LANES, 1, 1)))
void quantized_matvec(const __global INPUT0_TYPE* x,
                      const __global uchar* weights,
                      const __global half* scales, __global OUTPUT0_TYPE* y) {
  __local float sums[LANES];
  const int row = get_global_id(1), lane = get_local_id(0);
  float sum = 0;
  for (int i = lane; i < INPUT1_DIMS[1]; i += LANES) {
    const int two = weights[row * INPUT1_PITCHES[0] + i];
    const float scale = vload_half(row * INPUT2_PITCHES[0] + i / 16, scales);
    sum += scale * (((two & 15) - 8) * x[2 * i] + ((two >> 4) - 8) * x[2 * i + 1]);
  }
  sums[lane] = sum;
  for (int rest = LANES / 2; rest > 0; rest /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < rest) sums[lane] += sums[lane + rest];
  }
  if (lane == 0) y[row] = sums[0];
}
