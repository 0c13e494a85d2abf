// A row of one output channel is a group.
#include "rows.h"

__kernel void __dma_preload_convolution1x1(
    __global const half* in, __global half* out, __global const half* w, int iw,
    int ih, int ic, int ow, int oh, int stride_x, int stride_y,
    __local half* in_local, __local half* out_local) {
  load_rows(in, in_local, iw, ih, ic, get_group_id(0) * stride_y, 1);
}

__kernel void __dma_postwrite_convolution1x1(
    __global const half* in, __global half* out, __global const half* w, int iw,
    int ih, int ic, int ow, int oh, int stride_x, int stride_y,
    __local half* in_local, __local half* out_local) {
  store_row(out_local, out + (get_group_id(1) * oh + get_group_id(0)) * ow, ow);
}

__kernel void convolution1x1(__global const half* in, __global half* out,
                             __global const half* w, int iw, int ih, int ic,
                             int ow, int oh, int stride_x, int stride_y,
                             __local half* in_local, __local half* out_local) {
  __global const half* const weights = w + get_group_id(1) * ic;
  for (int x = 0; x < ow; ++x) {
    float sum = 0;
    for (int c = 0; c < ic; ++c) {
      sum += (float)in_local[c * iw + x * stride_x] * (float)weights[c];
    }
    out_local[x] = (half)sum;
  }
}
