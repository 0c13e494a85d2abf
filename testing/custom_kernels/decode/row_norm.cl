#pragma OPENCL EXTENSION cl_khr_subgroups : enable

// A row over the root of its mean square; each sub-group of the group adds up
// the whole row.
__kernel void row_norm(const __global INPUT0_TYPE* x,
                       const __global INPUT1_TYPE* weights,
                       __global OUTPUT0_TYPE* y) {
  const int n = INPUT0_DIMS[3];
  const int at = get_global_id(2) * INPUT0_PITCHES[1] +
                 get_global_id(1) * INPUT0_PITCHES[2];
  float sum = 0;
  for (int i = get_sub_group_local_id(); i < n; i += get_sub_group_size()) {
    sum += x[at + i] * x[at + i];
  }
  const float scale = rsqrt(sub_group_reduce_add(sum) / n + EPSILON);
  for (int i = get_local_id(0); i < n; i += LOCAL_WORKSIZE[0]) {
    y[at + i] = x[at + i] * scale * weights[i];
  }
}
