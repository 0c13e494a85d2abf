// A row of the output of one channel is a group.
__kernel void resample_nearest(__global const half* restrict src,
                               __global half* restrict dst, int iw, int ih,
                               int ow, int oh, __local half* in_row,
                               __local half* out_row) {
  const int y = min((int)(get_group_id(0) * ih / oh), ih - 1);
  event_t event = async_work_group_copy(
      in_row, src + (get_group_id(1) * ih + y) * iw, iw, 0);
  wait_group_events(1, &event);
  for (int x = 0; x < ow; ++x) out_row[x] = in_row[min(x * iw / ow, iw - 1)];
  event = async_work_group_copy(
      dst + (get_group_id(1) * oh + get_group_id(0)) * ow, out_row, ow, 0);
  wait_group_events(1, &event);
}

// How much an element counts that lies `distance` from the middle of another,
// where a line shrinks by the factor `scale`.
float triangle(float distance, float scale) {
  return fmax(0.0f, 1 - scale * fabs(distance));
}

// Smooths where the image shrinks: a triangle as wide as what an element covers.
__kernel void resample_with_antialias(__global const half* restrict src,
                                      __global half* restrict dst, int iw,
                                      int ih, int ow, int oh) {
  const float sx = fmin(1.0f, (float)ow / iw), sy = fmin(1.0f, (float)oh / ih);
  __global const half* const plane = src + get_group_id(1) * ih * iw;
  const float y = (get_group_id(0) + 0.5f) * ih / oh - 0.5f;
  const int top = max(0, (int)ceil(y - 1 / sy));
  const int bottom = min(ih - 1, (int)floor(y + 1 / sy));
  for (int ox = 0; ox < ow; ++ox) {
    const float x = (ox + 0.5f) * iw / ow - 0.5f;
    const int left = max(0, (int)ceil(x - 1 / sx));
    const int right = min(iw - 1, (int)floor(x + 1 / sx));
    float sum = 0, weights = 0;
    for (int i = top; i <= bottom; ++i) {
      for (int k = left; k <= right; ++k) {
        const float weight = triangle(y - i, sy) * triangle(x - k, sx);
        sum += weight * (float)plane[i * iw + k];
        weights += weight;
      }
    }
    dst[(get_group_id(1) * oh + get_group_id(0)) * ow + ox] =
        (half)(sum / weights);
  }
}
