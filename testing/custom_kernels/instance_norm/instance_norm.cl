// A sub-group normalizes a channel.
__kernel void instance_norm(const __global float* x, __global float* y,
                            const __global float* scale,
                            const __global float* shift) {
  const int n = INPUT0_DIMS[2], f = get_group_id(0);
  x += f * n;
  y += f * n;
  float sum = 0, squares = 0;
  for (int i = get_sub_group_local_id(); i < n; i += get_sub_group_size()) {
    sum += x[i];
    squares += x[i] * x[i];
  }
  const float mean = sub_group_reduce_add(sum) / n;
  const float variance = sub_group_reduce_add(squares) / n - mean * mean;
  for (int i = get_sub_group_local_id(); i < n; i += get_sub_group_size()) {
    float value = (x[i] - mean) * rsqrt(variance + 1e-5f);
    value = value * scale[f] + shift[f];
#ifdef USE_RELU
    value = fmax(value, 0);
#endif
    y[i] = value;
  }
}
