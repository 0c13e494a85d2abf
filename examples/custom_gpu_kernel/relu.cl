// A work item computes one element. SLOPE is the attribute that kernels.xml
// names, or its default.
__kernel void relu(const __global INPUT0_TYPE* input,
                   __global OUTPUT0_TYPE* output) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int f = get_global_id(2) % OUTPUT0_DIMS[1];
  const int b = get_global_id(2) / OUTPUT0_DIMS[1];
  const int from = INPUT0_OFFSET + b * INPUT0_PITCHES[0] +
                   f * INPUT0_PITCHES[1] + y * INPUT0_PITCHES[2] +
                   x * INPUT0_PITCHES[3];
  const int to = OUTPUT0_OFFSET + b * OUTPUT0_PITCHES[0] +
                 f * OUTPUT0_PITCHES[1] + y * OUTPUT0_PITCHES[2] +
                 x * OUTPUT0_PITCHES[3];
  const INPUT0_TYPE value = input[from];
  output[to] = value < 0 ? value * SLOPE : value;
}
