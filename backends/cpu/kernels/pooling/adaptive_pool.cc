#include "dovetail/backends/cpu/kernels/pooling/adaptive_pool.h"

#include <algorithm>

namespace dovetail::cpu {
namespace {

struct Sum {
  float operator()(float a, float b) const { return a + b; }
};
struct Max {
  // Anything replaces a NaN.
  float operator()(float a, float b) const { return b > a || a != a ? b : a; }
};

// All windows of one place along the outer axes: their rows are joined to one,
// whole vectors at a time, before that is cut into windows.
template <typename Join>
void PoolRow(const AdaptivePoolShape& shape, const float* plane, int64_t z,
             int64_t y, float* row, float* output) {
  const auto& [slices, rows, columns] = shape.axes;
  const Join join;
  bool is_first = true;
  for (int64_t i = slices.Begin(z); i < slices.End(z); ++i) {
    for (int64_t j = rows.Begin(y); j < rows.End(y); ++j) {
      const float* const from = plane + (i * rows.input + j) * columns.input;
      if (is_first) std::copy_n(from, columns.input, row);
      for (int64_t x = 0; x < columns.input && !is_first; ++x) {
        row[x] = join(row[x], from[x]);
      }
      is_first = false;
    }
  }
  const int64_t joined =
      (slices.End(z) - slices.Begin(z)) * (rows.End(y) - rows.Begin(y));
  for (int64_t o = 0; o < columns.output; ++o) {
    const int64_t begin = columns.Begin(o), end = columns.End(o);
    float all = row[begin];
    for (int64_t x = begin + 1; x < end; ++x) all = join(all, row[x]);
    const auto count = static_cast<float>(joined * (end - begin));
    output[o] = shape.takes_maxima ? all : all / count;
  }
}

template <typename Join>
void PoolPlanes(const AdaptivePoolShape& shape, const float* input,
                int64_t begin, int64_t end, float* row, float* output) {
  const auto& [slices, rows, columns] = shape.axes;
  output += begin * shape.output_plane();
  for (int64_t plane = begin; plane < end; ++plane) {
    const float* const from = input + plane * shape.input_plane();
    for (int64_t z = 0; z < slices.output; ++z) {
      for (int64_t y = 0; y < rows.output; ++y, output += columns.output) {
        PoolRow<Join>(shape, from, z, y, row, output);
      }
    }
  }
}

}  // namespace

void AdaptivePool(const AdaptivePoolShape& shape, const float* input,
                  int64_t begin, int64_t end, float* row, float* output) {
  const auto pool = shape.takes_maxima ? &PoolPlanes<Max> : &PoolPlanes<Sum>;
  pool(shape, input, begin, end, row, output);
}

}  // namespace dovetail::cpu
