int at(int b, int f, int y, int x, const int* pitches) {
  return b * pitches[0] + f * pitches[1] + y * pitches[2] + x * pitches[3];
}
__kernel void cosh_pitched(const __global INPUT0_TYPE* x,
                           __global OUTPUT0_TYPE* y) {
  const int f = get_global_id(2) % OUTPUT0_DIMS[1];
  const int b = get_global_id(2) / OUTPUT0_DIMS[1];
  const int from[] = INPUT0_PITCHES_INIT, to[] = OUTPUT0_PITCHES_INIT;
  const int row = get_global_id(1), column = get_global_id(0);
  const float value = x[at(b, f, row, column, from) + INPUT0_OFFSET];
  y[at(b, f, row, column, to) + OUTPUT0_OFFSET] = cosh(value);
}
