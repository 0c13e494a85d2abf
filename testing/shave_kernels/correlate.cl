// How alike two images are around each pixel, shifted against each other: an
// item computes a row of the output of all shifts, from rows in its own memory.
#define MOST_ROW 4096

void load_row(__global const half* plane, half* row, int y, int width,
              int height) {
  if (y < 0 || y >= height) {
    for (int i = 0; i < width; ++i) row[i] = (half)0;
    return;
  }
  const int bytes = width * sizeof(half);
  WorkItemDmaEvent event = WorkItemDmaCreateStrideTransaction(
      plane + y * width, row, bytes, bytes, bytes, bytes, bytes, 0);
  WaitWorkItemDmaEvents(1, &event);
}

__kernel void correlate2_half(__global const half* restrict bottom0,
                              __global const half* restrict bottom1,
                              __global half* restrict top, int topwidth,
                              int topheight, int bottomwidth, int bottomheight,
                              int bottomchannels, int max_displacement,
                              int padding, int kernel_size, int stride1,
                              int stride2) {
  half first[MOST_ROW], second[MOST_ROW];
  float sums[MOST_ROW];
  const int y = get_global_id(0);
  const int radius = max_displacement / stride2;
  const int shifts = 2 * radius + 1;
  const int area = bottomwidth * bottomheight;
  if (y >= topheight || max(topwidth, bottomwidth) > MOST_ROW) return;
  for (int shift = 0; shift < shifts * shifts; ++shift) {
    const int dx = (shift % shifts - radius) * stride2;
    const int dy = (shift / shifts - radius) * stride2;
    __global half* const row = top + (shift * topheight + y) * topwidth;
    for (int x = 0; x < topwidth; ++x) sums[x] = 0;
    for (int k = 0; k < kernel_size; ++k) {
      const int line = y * stride1 + max_displacement + k - padding;
      for (int c = 0; c < bottomchannels; ++c) {
        load_row(bottom0 + c * area, first, line, bottomwidth, bottomheight);
        load_row(bottom1 + c * area, second, line + dy, bottomwidth,
                 bottomheight);
        for (int x = 0; x < topwidth; ++x) {
          for (int i = 0; i < kernel_size; ++i) {
            const int column = x * stride1 + max_displacement + i - padding;
            const bool is_in = column >= 0 && column < bottomwidth &&
                               column + dx >= 0 && column + dx < bottomwidth;
            if (is_in) {
              sums[x] += (float)first[column] * (float)second[column + dx];
            }
          }
        }
      }
    }
    for (int x = 0; x < topwidth; ++x) {
      row[x] = (half)(sums[x] / (kernel_size * kernel_size * bottomchannels));
    }
  }
}
