// A box of a picture (left, top, width, height), resized to the output.
float pixel(const __global INPUT0_TYPE* picture, int row, int column,
            int channel) {
  return picture[clamp(row, 0, INPUT0_DIMS[0] - 1) * INPUT0_PITCHES[0] +
                 clamp(column, 0, INPUT0_DIMS[1] - 1) * INPUT0_PITCHES[1] +
                 channel];
}

__kernel void preprocess(const __global INPUT0_TYPE* picture,
                         const __global INPUT1_TYPE* box,
                         __global OUTPUT0_TYPE* y) {
  const int column = get_global_id(0), row = get_global_id(1);
  if (column >= SIDE || row >= SIDE) return;
  const float x_at = box[0] + (column + 0.5f) * box[2] / SIDE - 0.5f;
  const float y_at = box[1] + (row + 0.5f) * box[3] / SIDE - 0.5f;
  const int left = (int)floor(x_at), top = (int)floor(y_at);
  for (int c = 0; c < INPUT0_DIMS[2]; ++c) {
    const float above = mix(pixel(picture, top, left, c),
                            pixel(picture, top, left + 1, c), x_at - left);
    const float below = mix(pixel(picture, top + 1, left, c),
                            pixel(picture, top + 1, left + 1, c), x_at - left);
    float value = mix(above, below, y_at - top);
#ifdef NORMALIZE
    value = (value - MEAN) * FACTOR;
#endif
    y[c * OUTPUT0_PITCHES[1] + row * OUTPUT0_PITCHES[2] +
      column * OUTPUT0_PITCHES[3]] = value;
  }
}
