// The first cells that have points, and how many these are: a prefix sum.
__kernel void voxel_pillars(const __global int* counts, __global int* pillars,
                            __global int* number) {
  __local int before[CELLS];
  const int lane = get_local_id(0), most = OUTPUT0_DIMS[0];
  before[lane] = counts[lane] > 0;
  if (lane < most) pillars[lane] = -1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (int step = 1; step < CELLS; step *= 2) {
    const int more = lane >= step ? before[lane - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    before[lane] += more;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (counts[lane] > 0 && before[lane] <= most) pillars[before[lane] - 1] = lane;
  if (lane == CELLS - 1) number[0] = min(before[lane], most);
}
