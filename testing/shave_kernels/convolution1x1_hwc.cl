// The same with channels last: a row of all of them is one piece, and eight
// channels a vector.
__kernel void __dma_preload_convolution1x1_hwc(
    __global const half* in, __global half* out, __global const half* w, int iw,
    int ic, int ow, int oc, __local half* in_local, __local half* out_local) {
  const int bytes = iw * ic * sizeof(half);
  WorkGroupDmaCreateTransaction(in + get_group_id(0) * iw * ic, in_local, bytes,
                                0);
}

__kernel void __dma_postwrite_convolution1x1_hwc(
    __global const half* in, __global half* out, __global const half* w, int iw,
    int ic, int ow, int oc, __local half* in_local, __local half* out_local) {
  WorkGroupDmaCreateTransaction(out_local, out + get_group_id(0) * ow * oc,
                                ow * oc * sizeof(half), 0);
}

__kernel void convolution1x1_hwc(__global const half* in, __global half* out,
                                 __global const half* w, int iw, int ic, int ow,
                                 int oc, __local half* in_local,
                                 __local half* out_local) {
  for (int x = 0; x < ow; ++x) {
    for (int o = 0; o < oc; ++o) {
      float sum = 0;
      int c = 0;
      for (; c + 8 <= ic; c += 8) {
        const half8 products =
            vload8(0, in_local + x * ic + c) * vload8(0, w + o * ic + c);
        sum += (float)__builtin_shave_sau_sumx_f16_r(products);
      }
      for (; c < ic; ++c) {
        sum += (float)in_local[x * ic + c] * (float)w[o * ic + c];
      }
      out_local[x * oc + o] = (half)sum;
    }
  }
}
