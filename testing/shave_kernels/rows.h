// Rows of all channels of an input, which windows of one row of outputs need, in
// local memory: {rows, channels, width}. Rows outside of the input stay as they
// are.
#pragma once

void load_rows(__global const half* input, __local half* rows, int width,
               int height, int channels, int first, int count) {
  const int line = width * sizeof(half);
  for (int i = 0; i < count; ++i) {
    const int y = first + i;
    if (y < 0 || y >= height) continue;
    WorkGroupDmaCreate3DTransaction(input + y * width,
                                    rows + i * channels * width, line, line,
                                    line, line, channels, line * height, line,
                                    line, 0);
  }
}

void store_row(__local half* row, __global half* output, int width) {
  WorkGroupDmaCreateTransaction(row, output, width * sizeof(half), 0);
}
