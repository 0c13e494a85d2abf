// What is outside of the picture is its nearest pixel.
__kernel void interp(const __global INPUT0_TYPE* x, __global OUTPUT0_TYPE* y) {
#if defined(ALIGN_CORNERS)
  const int column = clamp((int)get_global_id(0) + pad_beg_, 0,
                           INPUT0_DIMS[3] - 1);
  const int row = clamp((int)get_global_id(1) + pad_beg_, 0,
                        INPUT0_DIMS[2] - 1);
#endif
  const int plane = get_global_id(2);
  y[(plane * OUTPUT0_DIMS[2] + get_global_id(1)) * OUTPUT0_DIMS[3] +
    get_global_id(0)] =
      x[(plane * INPUT0_DIMS[2] + row) * INPUT0_DIMS[3] + column];
}
