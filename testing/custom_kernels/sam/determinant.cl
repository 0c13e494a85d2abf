__kernel void determinant(const __global float* m, __global float* y) {
  const int b = get_global_id(0);
  const float3 x = vload3(0, m + b * 9), u = vload3(1, m + b * 9);
  y[b] = dot(x, cross(u, vload3(2, m + b * 9)));
}
