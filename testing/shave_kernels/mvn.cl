// Sums of a line and of its squares.
__kernel void __dma_preload_line_sums(__global const half* src,
                                      __global float* sums,
                                      __global float* squares, int width,
                                      __local half* line) {
  const int row = get_group_id(2) * get_num_groups(1) + get_group_id(1);
  WorkGroupDmaCreateTransaction(src + row * width, line, width * sizeof(half),
                                0);
}

__kernel void line_sums(__global const half* src, __global float* sums,
                        __global float* squares, int width,
                        __local half* line) {
  const int row = get_group_id(2) * get_num_groups(1) + get_group_id(1);
  float sum = 0, square = 0;
  for (int i = 0; i < width; ++i) {
    const float value = line[i];
    sum += value;
    square += value * value;
  }
  sums[row] = sum;
  squares[row] = square;
}

__kernel void scale(__global const half* src, __global half* dst,
                    __global const float* sums, __global const float* squares,
                    int width, int height, int normalize_variance, float eps) {
  const int first = get_group_id(2) * height;
  float sum = 0, square = 0;
  for (int i = 0; i < height; ++i) {
    sum += sums[first + i];
    square += squares[first + i];
  }
  const float mean = sum / (width * height);
  const float variance = fmax(square / (width * height) - mean * mean, 0.0f);
  const float factor =
      normalize_variance ? 1 / (native_sqrt(variance) + eps) : 1.0f;
  const int row = first + get_group_id(1);
  for (int i = 0; i < width; ++i) {
    dst[row * width + i] = (half)(((float)src[row * width + i] - mean) * factor);
  }
}
