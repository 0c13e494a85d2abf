float3 mean_of(const __global float* points, int count) {
  float3 sum = 0;
  for (int i = 0; i < count; ++i) sum += vload4(i, points).xyz;
  return sum / count;
}
