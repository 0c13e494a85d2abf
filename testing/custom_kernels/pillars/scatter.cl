// Features of pillars go where their columns lie; elsewhere is zero.
__kernel void scatter(const __global float* features,
                      const __global INPUT1_TYPE* place, __global float* y) {
  const int columns = OUTPUT0_DIMS[1], f = get_global_id(0);
  for (int i = 0; i < columns; ++i) y[f * columns + i] = 0;
  for (int p = 0; p < INPUT0_DIMS[0]; ++p) {
    y[f * columns + place[p]] = features[p * INPUT0_DIMS[1] + f];
  }
}
