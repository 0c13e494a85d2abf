// Where an object is, from where its box is and how far it shifts in that.
__kernel void trans_decode(const __global float* shift,
                           const __global float* center,
                           const __global float* size,
                           const __global float* camera,
                           const __global float* ratio, __global float* y) {
  const int i = get_global_id(0);
  const float z = shift[i * 3 + 2] * ratio[i] * DEPTH_SCALE;
  const float column = shift[i * 3] * size[i] + center[i * 2];
  const float row = shift[i * 3 + 1] * size[i] + center[i * 2 + 1];
  y[i * 3] = (column - camera[2]) * z / camera[0];
  y[i * 3 + 1] = (row - camera[3]) * z / camera[1];
  y[i * 3 + 2] = z;
}
