// Each group picks points of one batch, each the furthest from those before it;
// distances lie in memory of its own.
__kernel void furthest(const __global float* points, __global float* distance,
                       __global OUTPUT0_TYPE* chosen) {
  __local float most[GROUP];
  __local int where[GROUP];
  const int n = INPUT0_DIMS[1], count = OUTPUT0_DIMS[1];
  const int batch = get_group_id(0), lane = get_local_id(0);
  points += batch * n * 3;
  distance += batch * n;
  for (int i = lane; i < n; i += GROUP) distance[i] = 1e10f;
  int last = 0;
  for (int k = 0; k < count; ++k) {
    if (lane == 0) chosen[batch * count + k] = last;
    most[lane] = -1;
    for (int i = lane; i < n; i += GROUP) {
      float sum = 0;
      for (int c = 0; c < 3; ++c) {
        const float step = points[i * 3 + c] - points[last * 3 + c];
        sum += step * step;
      }
      distance[i] = fmin(distance[i], sum);
      if (distance[i] > most[lane]) {
        most[lane] = distance[i];
        where[lane] = i;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int best = 0;
    for (int l = 1; l < GROUP; ++l) {
      const bool is_more = most[l] > most[best] ||
                           (most[l] == most[best] && where[l] < where[best]);
      if (is_more) best = l;
    }
    last = where[best];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
