// FakeQuantize of two levels: a channel is a group, which goes row by row.
float number_of(__global const half* range, int size) {
  return range[size > 1 ? get_group_id(2) : 0];
}

__kernel void binarization(__global const half* restrict src,
                           __global const half* restrict input_low,
                           __global const half* restrict input_high,
                           __global const half* restrict output_low,
                           __global const half* restrict output_high,
                           __global half* restrict dst, int input_size,
                           int output_size, int width, int height,
                           __local half* row) {
  const float threshold =
      (number_of(input_low, input_size) + number_of(input_high, input_size)) /
      2;
  const half low = (half)number_of(output_low, output_size);
  const half high = (half)number_of(output_high, output_size);
  for (int y = 0; y < height; ++y) {
    const int first = (get_group_id(2) * height + y) * width;
    event_t event = async_work_group_copy(row, src + first, width, 0);
    wait_group_events(1, &event);
    for (int x = 0; x < width; ++x) {
      row[x] = (float)row[x] > threshold ? high : low;
    }
    event = async_work_group_copy(dst + first, row, width, 0);
    wait_group_events(1, &event);
  }
}
