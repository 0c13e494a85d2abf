// Queries and keys turned by where they are: element i with i + width / 2.
void rotate_pair(const __global float* x, __global float* y, int width,
                 int pitch, float c, float s) {
  y[0] = c * x[0] - s * x[width / 2 * pitch];
  y[width / 2 * pitch] = s * x[0] + c * x[width / 2 * pitch];
}

__kernel void rotated_pair(const __global float* q, const __global float* k,
                           const __global float* cosines,
                           const __global float* sines,
                           const __global INPUT4_TYPE* positions,
                           __global float* turned_q, __global float* turned_k) {
  const int i = get_global_id(0), t = get_global_id(1);
  const int b = get_global_id(2) / OUTPUT0_DIMS[1];
  const int head = get_global_id(2) % OUTPUT0_DIMS[1];
  const int at = b * OUTPUT1_PITCHES[0] + head * OUTPUT1_PITCHES[1] +
                 t * OUTPUT1_PITCHES[2] + i * OUTPUT1_PITCHES[3];
  const int row = positions[b * INPUT4_PITCHES[0] + t * INPUT4_PITCHES[1]];
  const float c = cosines[row * INPUT2_PITCHES[0] + i];
  const float s = sines[row * INPUT3_PITCHES[0] + i];
  const int width = OUTPUT0_DIMS[3], pitch = OUTPUT1_PITCHES[3];
  rotate_pair(q + at, turned_q + at, width, pitch, c, s);
  rotate_pair(k + at, turned_k + at, width, pitch, c, s);
}
