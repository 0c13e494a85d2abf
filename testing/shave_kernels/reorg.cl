// A row of an output channel an item. Rows are dealt in groups of 8; those beyond
// the last do that again.
__kernel void reorg(__global const half* restrict src,
                    __global half* restrict out, int height, int width,
                    int stride) {
  const int h = min((int)get_global_id(0), height - 1);
  const int c = get_global_id(1);
  const int fewer = get_global_size(1) / (stride * stride);
  const int place = c / fewer;
  const int from = (c % fewer) * height * width * stride * stride +
                   (h * stride + place / stride) * width * stride +
                   place % stride;
  for (int w = 0; w < width; ++w) {
    out[(c * height + h) * width + w] = src[from + w * stride];
  }
}
