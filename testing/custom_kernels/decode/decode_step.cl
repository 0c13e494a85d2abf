#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// One step of attention with a state for each head: a group has a head, a work
// item a column of its state.
__kernel void decode_step(
    const __global float* q, const __global float* k, const __global float* v,
    const __global float* decay, const __global float* state,
    const __global half* q_scale, const __global half* q_shift,
    const __global half* k_scale, const __global half* k_shift,
    const __global half* v_scale, const __global half* v_shift,
    const __global float* gate, const __global half* out_scale,
    __global float* y, __global float* next) {
  __local half queries[WIDTH], keys[WIDTH];
  const int column = get_global_id(0), head = get_global_id(2);
  const int b = head / OUTPUT0_DIMS[1], h = head % OUTPUT0_DIMS[1];
  const int at = head * WIDTH + column;
  queries[column] = q_scale[column] * (half)q[at] + q_shift[column];
  keys[column] = k_scale[column] * (half)k[at] + k_shift[column];
  barrier(CLK_LOCAL_MEM_FENCE);
  const half value = v_scale[column] * (half)v[at] + v_shift[column];
  const int from = b * INPUT4_PITCHES[0] + h * INPUT4_PITCHES[1] + column;
  const int to = b * OUTPUT1_PITCHES[0] + h * OUTPUT1_PITCHES[1] + column;
  float sum = 0;
  for (int i = 0; i < WIDTH; ++i) {
    const float one = decay[head] * state[from + i * INPUT4_PITCHES[2]] +
                      (float)keys[i] * value;
    next[to + i * OUTPUT1_PITCHES[2]] = one;
    sum += queries[i] * one;
  }
  y[at] = clamp(sum * gate[at] * out_scale[column], LIMITS[0], LIMITS[1]);
}
