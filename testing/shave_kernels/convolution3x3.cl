// A row of one output channel is a group, with the rows of the input that its
// windows see.
#include "rows.h"

__kernel void __dma_preload_convolution3x3(
    __global const half* in, __global half* out, __global const half* w, int iw,
    int ih, int ic, int ow, int oh, int stride_x, int stride_y, int pad_x,
    int pad_y, __local half* in_local, __local half* out_local) {
  load_rows(in, in_local, iw, ih, ic, get_group_id(0) * stride_y - pad_y, 3);
}

__kernel void __dma_postwrite_convolution3x3(
    __global const half* in, __global half* out, __global const half* w, int iw,
    int ih, int ic, int ow, int oh, int stride_x, int stride_y, int pad_x,
    int pad_y, __local half* in_local, __local half* out_local) {
  store_row(out_local, out + (get_group_id(1) * oh + get_group_id(0)) * ow, ow);
}

__kernel void convolution3x3(__global const half* in, __global half* out,
                             __global const half* w, int iw, int ih, int ic,
                             int ow, int oh, int stride_x, int stride_y,
                             int pad_x, int pad_y, __local half* in_local,
                             __local half* out_local) {
  const int top = get_group_id(0) * stride_y - pad_y;
  for (int x = 0; x < ow; ++x) {
    float sum = 0;
    for (int ky = max(0, -top); ky < min(3, ih - top); ++ky) {
      for (int c = 0; c < ic; ++c) {
        __local const half* const row = in_local + (ky * ic + c) * iw;
        __global const half* const weights =
            w + ((get_group_id(1) * ic + c) * 3 + ky) * 3;
        for (int kx = 0; kx < 3; ++kx) {
          const int column = x * stride_x - pad_x + kx;
          if (column >= 0 && column < iw) {
            sum += (float)row[column] * (float)weights[kx];
          }
        }
      }
    }
    out_local[x] = (half)sum;
  }
}
