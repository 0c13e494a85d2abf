// The features of each group's points.
__kernel void grouping(const __global INPUT0_TYPE* features,
                       const __global INPUT1_TYPE* places,
                       __global OUTPUT0_TYPE* y) {
  const int at = get_global_id(0);
  const int group = at / OUTPUT0_DIMS[3] % OUTPUT0_DIMS[2];
  const int channel = at / OUTPUT0_PITCHES[1] % OUTPUT0_DIMS[1];
  const int batch = at / OUTPUT0_PITCHES[0];
  const int place = places[batch * INPUT1_PITCHES[0] +
                           group * INPUT1_PITCHES[1] + at % OUTPUT0_DIMS[3]];
  y[at] = features[batch * INPUT0_PITCHES[0] + channel * INPUT0_PITCHES[1] +
                   place];
}
