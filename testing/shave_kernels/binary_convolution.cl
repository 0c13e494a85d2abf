// A row of one output channel is a group. Weights are bits, the first of a byte
// the lowest; a bit stands for 1 or -1, and so does whether an input is
// positive.
#include "rows.h"

__kernel void __dma_preload_binary_convolution(
    __global const half* src_data, __global const uchar* weights,
    __global half* dst_data, float pad_value, int iw, int ih, int ic, int dw,
    int dh, int kw, int kh, int pw, int ph, int sw, int sh, int ow, int oh,
    __local half* src_local, __local half* dst_local) {
  for (int ky = 0; ky < kh; ++ky) {
    load_rows(src_data, src_local + ky * ic * iw, iw, ih, ic,
              get_group_id(0) * sh - ph + ky * dh, 1);
  }
}

__kernel void __dma_postwrite_binary_convolution(
    __global const half* src_data, __global const uchar* weights,
    __global half* dst_data, float pad_value, int iw, int ih, int ic, int dw,
    int dh, int kw, int kh, int pw, int ph, int sw, int sh, int ow, int oh,
    __local half* src_local, __local half* dst_local) {
  store_row(dst_local, dst_data + (get_group_id(1) * oh + get_group_id(0)) * ow,
            ow);
}

__kernel void binary_convolution(
    __global const half* src_data, __global const uchar* weights,
    __global half* dst_data, float pad_value, int iw, int ih, int ic, int dw,
    int dh, int kw, int kh, int pw, int ph, int sw, int sh, int ow, int oh,
    __local half* src_local, __local half* dst_local) {
  for (int x = 0; x < ow; ++x) {
    int inside = 0, outside = 0;
    for (int c = 0; c < ic; ++c) {
      for (int ky = 0; ky < kh; ++ky) {
        const int y = (int)get_group_id(0) * sh - ph + ky * dh;
        for (int kx = 0; kx < kw; ++kx) {
          const int bit = ((get_group_id(1) * ic + c) * kh + ky) * kw + kx;
          const int sign = weights[bit / 8] >> (bit % 8) & 1 ? 1 : -1;
          const int column = x * sw - pw + kx * dw;
          if (y < 0 || y >= ih || column < 0 || column >= iw) {
            outside += sign;
          } else {
            const half value = src_local[(ky * ic + c) * iw + column];
            inside += value > (half)0 ? sign : -sign;
          }
        }
      }
    }
    dst_local[x] = (half)(inside + pad_value * outside);
  }
}
