__kernel void add_mul(const __global float* a, const __global float* b,
                      const __global float* c, __global float* y) {
  const int i = get_global_id(0);
  y[i] = (a[i] + b[i]) * c[i];
}
