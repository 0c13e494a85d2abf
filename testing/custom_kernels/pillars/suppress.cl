// Segments in order of their scores; one is kept that meets no kept one before
// it.
__kernel void suppress(const __global float* segments,
                       const __global float* scores, __global float* kept) {
  __local int gone[64];
  const int n = INPUT0_DIMS[0], i = get_local_id(0);
  gone[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < n; ++k) {
    const bool meets = segments[i * 2] < segments[k * 2 + 1] &&
                       segments[k * 2] < segments[i * 2 + 1];
    if (i > k && !gone[k] && meets) gone[i] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  kept[i] = gone[i] ? 0 : scores[i];
}
