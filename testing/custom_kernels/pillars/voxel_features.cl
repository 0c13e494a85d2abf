// Points beside how far they are from their mean and their cell's center.
__kernel void voxel_features(const __global float* points,
                             const __global int* counts,
                             const __global int* pillars, __global float* y) {
  const int pillar = get_global_id(0), most = INPUT0_DIMS[1];
  points += pillar * INPUT0_PITCHES[0];
  y += pillar * OUTPUT0_PITCHES[0];
  const float3 mean = mean_of(points, counts[pillar]);
  for (int i = 0; i < most; ++i) {
    const float4 point = vload4(i, points);
    const float3 off = point.xyz - mean;
    const float2 inside = point.xy - center_of(pillars[pillar]);
    const float all[FEATURES] = {point.x, point.y, point.z,  point.w, off.x,
                                 off.y,   off.z,   inside.x, inside.y};
    for (int f = 0; f < FEATURES; ++f) {
      y[i * FEATURES + f] = i < counts[pillar] ? all[f] : 0;
    }
  }
}
