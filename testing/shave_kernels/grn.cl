// A row of all channels is a group, which DMA brings and takes away.
__kernel void __dma_preload_grn(__global half* restrict src_data,
                                __global half* restrict dst_data,
                                __local half* restrict src,
                                __local half* restrict dst, int channels,
                                float bias) {
  const int line = get_local_size(0) * sizeof(half);
  const int plane = line * get_num_groups(1);
  WorkGroupDmaCreate3DTransaction(
      src_data + get_group_id(1) * get_local_size(0), src, line, line, line,
      line, channels, plane, line, line, 0);
}

__kernel void __dma_postwrite_grn(__global half* restrict src_data,
                                  __global half* restrict dst_data,
                                  __local half* restrict src,
                                  __local half* restrict dst, int channels,
                                  float bias) {
  const int line = get_local_size(0) * sizeof(half);
  const int plane = line * get_num_groups(1);
  WorkGroupDmaCreate3DTransaction(
      dst, dst_data + get_group_id(1) * get_local_size(0), line, line, line,
      line, channels, line, plane, line, 0);
}

__kernel void grn(__global half* restrict src_data,
                  __global half* restrict dst_data, __local half* restrict src,
                  __local half* restrict dst, int channels, float bias) {
  const int x = get_local_id(0), width = get_local_size(0);
  float sum = bias;
  for (int c = 0; c < channels; ++c) {
    const float value = src[c * width + x];
    sum += value * value;
  }
  const half scale = (half)native_rsqrt(sum);
  for (int c = 0; c < channels; ++c) {
    dst[c * width + x] = src[c * width + x] * scale;
  }
}
