// Coordinates from 0 to 1 become pixels of a picture, and a mask of those
// inside.
__kernel void coord_denorm(const __global INPUT0_TYPE* x,
                           __global OUTPUT0_TYPE* pixels,
                           __global OUTPUT1_TYPE* mask) {
#ifdef WITH_MASK
  for (int i = get_global_id(0); i < COUNT; i += GLOBAL_WORKSIZE[0]) {
    if (get_global_id(1) > 0) return;
    pixels[i] = x[i] * WIDTH;
    mask[i] = x[i + COUNT] >= 0 && x[i + COUNT] < SCALE ? 1 : 0;
  }
#endif
}
