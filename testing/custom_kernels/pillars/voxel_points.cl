// The first points of each pillar; zeros behind them.
__kernel void voxel_points(const __global float* points,
                           const __global int* cells,
                           const __global int* pillars, __global float* y,
                           __global int* counts) {
  const int pillar = get_global_id(0), most = OUTPUT0_DIMS[1];
  int count = 0;
  for (int i = 0; i < INPUT1_DIMS[0] && count < most; ++i) {
    if (pillars[pillar] < 0 || cells[i] != pillars[pillar]) continue;
    vstore4(vload4(i, points), pillar * most + count, y);
    ++count;
  }
  counts[pillar] = count;
  for (; count < most; ++count) {
    vstore4((float4)(0), pillar * most + count, y);
  }
}
