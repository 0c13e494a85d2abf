// How many points are within RADIUS of each center.
__kernel void ball_query(const __global float* centers,
                         const __global float* points, __global OUTPUT0_TYPE* y) {
  const int m = INPUT0_DIMS[1], n = INPUT1_DIMS[1];
  const int b = get_global_id(0), i = get_global_id(1);
  int count = 0;
  for (int k = 0; k < n; ++k) {
    const float3 step =
        vload3(b * m + i, centers) - vload3(b * n + k, points);
    count += dot(step, step) < RADIUS * RADIUS;
  }
  y[b * m + i] = count;
}
