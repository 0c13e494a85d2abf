// A row of one box is a group: its entries come in and go out by DMA, and an
// item has the cells of one column.
#define LOGISTIC(x) (1.0f / (1.0f + native_exp(-(x))))

__kernel void region(__global const half* restrict src,
                     __global half* restrict dst, __local half* row, int width,
                     int height, int classes, int coords, int do_softmax) {
  const int entries = coords + 1 + classes, area = width * height;
  const int first = get_group_id(1) * entries * area +
                    get_group_id(0) * width;
  event_t event = async_work_group_copy_2D2D(row, src + first, width, entries,
                                             area - width, 0, 0);
  wait_group_events(1, &event);

  __local half* const cell = row + get_local_id(0);
  for (int i = 0; i < min(coords, 2); ++i) {
    cell[i * width] = (half)LOGISTIC((float)cell[i * width]);
  }
  const int logistics = do_softmax ? 1 : 1 + classes;
  for (int i = coords; i < coords + logistics; ++i) {
    cell[i * width] = (half)LOGISTIC((float)cell[i * width]);
  }
  if (do_softmax) {
    __local half* const scores = cell + (coords + 1) * width;
    float most = -INFINITY, sum = 0;
    for (int i = 0; i < classes; ++i) {
      most = fmax(most, (float)scores[i * width]);
    }
    for (int i = 0; i < classes; ++i) {
      sum += native_exp((float)scores[i * width] - most);
    }
    for (int i = 0; i < classes; ++i) {
      scores[i * width] =
          (half)(native_exp((float)scores[i * width] - most) / sum);
    }
  }

  event = async_work_group_copy_2D2D(dst + first, row, width, entries, 0,
                                     area - width, 0);
  wait_group_events(1, &event);
}
