// Channels of the points that indices choose.
__kernel void gather(const __global float* features,
                     const __global INPUT1_TYPE* indices, __global float* y) {
  const int n = INPUT0_DIMS[2], m = OUTPUT0_DIMS[2];
  const int b = get_global_id(0), c = get_global_id(1);
  if (get_local_id(1) >= 64) return;
  for (int i = 0; i < m; ++i) {
    y[(b * OUTPUT0_DIMS[1] + c) * m + i] =
        features[(b * INPUT0_DIMS[1] + c) * n + indices[b * m + i]];
  }
}
