#if INPUT0_DIMS_SIZE == 4
__kernel void weighted_add(const __global INPUT0_TYPE* a,
                           const __global INPUT1_TYPE* b,
                           __global OUTPUT0_TYPE* y) {
  const int i = get_global_id(0) * INPUT0_PITCHES[0] +
                get_global_id(1) * INPUT0_PITCHES[1] +
                get_global_id(2) * INPUT0_PITCHES[2];
  y[i] = ALPHA * a[i] + BETA * (float)b[0];
}
#endif
