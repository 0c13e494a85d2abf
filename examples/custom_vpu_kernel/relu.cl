// A work group has one row: DMA brings it into the SHAVE's memory before the
// kernel, and takes it away behind it.
#define FIRST \
  ((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * width)

__kernel void __dma_preload_relu(__global const half* input,
                                 __global half* output, int width,
                                 __local half* row) {
  const int bytes = width * sizeof(half);
  WorkGroupDmaCreateStrideTransaction(input + FIRST, row, bytes, bytes, bytes,
                                      bytes, bytes, 0);
}

__kernel void __dma_postwrite_relu(__global const half* input,
                                   __global half* output, int width,
                                   __local half* row) {
  const int bytes = width * sizeof(half);
  WorkGroupDmaCreateStrideTransaction(row, output + FIRST, bytes, bytes, bytes,
                                      bytes, bytes, 0);
}

__kernel void relu(__global const half* input, __global half* output, int width,
                   __local half* row) {
  for (int x = 0; x < width; ++x) row[x] = max(row[x], (half)0);
}
