// A channel is a group, whose plane lies in local memory. Ranges are one number,
// or one a channel.
#define PLANE (get_group_id(0) * width * height)
#define BYTES (width * height * sizeof(half))

__kernel void __dma_preload_quantize(
    __global const half* src, __global const half* input_low,
    __global const half* input_high, __global const half* output_low,
    __global const half* output_high, __global half* dst, int levels,
    int input_low_size, int input_high_size, int output_low_size,
    int output_high_size, int width, int height, __local half* src_local,
    __local half* dst_local) {
  WorkGroupDmaCreateStrideTransaction(src + PLANE, src_local, BYTES, BYTES,
                                      BYTES, BYTES, BYTES, 0);
}

__kernel void __dma_postwrite_quantize(
    __global const half* src, __global const half* input_low,
    __global const half* input_high, __global const half* output_low,
    __global const half* output_high, __global half* dst, int levels,
    int input_low_size, int input_high_size, int output_low_size,
    int output_high_size, int width, int height, __local half* src_local,
    __local half* dst_local) {
  WorkGroupDmaCreateStrideTransaction(dst_local, dst + PLANE, BYTES, BYTES,
                                      BYTES, BYTES, BYTES, 0);
}

float number_of(__global const half* range, int size) {
  return range[size > 1 ? get_group_id(0) : 0];
}

__kernel void quantize(
    __global const half* src, __global const half* input_low,
    __global const half* input_high, __global const half* output_low,
    __global const half* output_high, __global half* dst, int levels,
    int input_low_size, int input_high_size, int output_low_size,
    int output_high_size, int width, int height, __local half* src_local,
    __local half* dst_local) {
  const float in_low = number_of(input_low, input_low_size);
  const float in_high = number_of(input_high, input_high_size);
  const float out_low = number_of(output_low, output_low_size);
  const float out_high = number_of(output_high, output_high_size);
  const float steps = levels - 1;
  for (int i = 0; i < width * height; ++i) {
    const float value = src_local[i];
    const float step =
        rint((clamp(value, in_low, in_high) - in_low) / (in_high - in_low) *
             steps);
    dst_local[i] = (half)(step / steps * (out_high - out_low) + out_low);
  }
}
