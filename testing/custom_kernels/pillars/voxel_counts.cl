// How many points each cell has, by one group.
__kernel void voxel_counts(const __global int* cells, __global int* counts) {
  __local int sums[CELLS];
  const int lane = get_local_id(0);
  sums[lane] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = lane; i < INPUT0_DIMS[0]; i += CELLS) {
    if (cells[i] >= 0) atomic_inc(&sums[cells[i]]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  counts[lane] = sums[lane];
}
