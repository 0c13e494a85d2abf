// The boxes of the greatest scores above a threshold, in their order.
__kernel void box_candidates(const __global float* scores, __global int* y) {
  const int i = get_local_id(0), n = get_local_size(0);
  if (i < OUTPUT0_DIMS[0]) y[i] = -1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  int rank = 0;
  for (int k = 0; k < n; ++k) {
    rank += scores[k] > scores[i] || (scores[k] == scores[i] && k < i);
  }
  if (scores[i] >= THRESHOLD && rank < OUTPUT0_DIMS[0]) y[rank] = i;
}
