#include "dovetail/backends/cpu/kernels/pooling/max_pool_bytes.h"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

// The maximum of one window, by definition.
template <typename T>
T Want(const MaxPoolShape& s, const std::vector<T>& input, int64_t plane,
       int64_t y, int64_t x, int64_t lane) {
  T greatest = std::numeric_limits<T>::min();
  for (int64_t r = 0; r < s.rows.kernel; ++r) {
    for (int64_t c = 0; c < s.columns.kernel; ++c) {
      const int64_t iy = y * s.rows.stride - s.rows.pad + r * s.rows.dilation;
      const int64_t ix =
          x * s.columns.stride - s.columns.pad + c * s.columns.dilation;
      if (iy < 0 || ix < 0 || iy >= s.rows.input || ix >= s.columns.input) {
        continue;
      }
      const int64_t pixel =
          (plane * s.rows.input + iy) * s.columns.input + ix;
      greatest = std::max(greatest, input[pixel * s.width + lane]);
    }
  }
  return greatest;
}

template <typename T>
void Check(const MaxPoolShape& s) {
  std::mt19937 generator(3);
  std::uniform_int_distribution<int> values(std::numeric_limits<T>::min(),
                                            std::numeric_limits<T>::max());
  std::vector<T> input(s.planes * s.rows.input * s.columns.input *
                       s.width);
  for (T& value : input) value = static_cast<T>(values(generator));
  const int64_t rows = s.row_count();
  std::vector<T> output(rows * s.columns.output * s.width);
  MaxPoolBytes(s, input.data(), 0, rows / 2, output.data());
  MaxPoolBytes(s, input.data(), rows / 2, rows - rows / 2, output.data());
  for (size_t i = 0; i < output.size(); ++i) {
    const int64_t pixel = static_cast<int64_t>(i) / s.width;
    const int64_t row = pixel / s.columns.output;
    EXPECT_EQ(output[i], Want(s, input, row / s.rows.output,
                              row % s.rows.output, pixel % s.columns.output,
                              static_cast<int64_t>(i) % s.width))
        << "element " << i;
  }
}

TEST(MaxPoolBytesTest, FindsTheGreatest) {
  // input, output, kernel, stride, dilation, pad
  MaxPoolShape shapes[] = {
      {3, 8, {6, 3, 2, 2, 1, 0}, {10, 5, 2, 2, 1, 0}},
      {2, 8, {7, 4, 3, 2, 1, 1}, {9, 5, 3, 2, 1, 1}},
      {1, 8, {5, 5, 3, 1, 1, 1}, {21, 21, 3, 1, 1, 1}},
      {1, 8, {9, 5, 3, 1, 2, 0}, {12, 4, 2, 3, 2, 0}},
      // The last windows reach beyond the input.
      {2, 8, {5, 3, 2, 2, 1, 0}, {4, 2, 3, 2, 1, 0}},
  };
  for (MaxPoolShape& shape : shapes) {
    // Fewer channels than any vector has, as many, and parts of some.
    for (const int64_t width : {1, 3, 8, 13, 16, 40, 64, 100}) {
      shape.width = width;
      Check<uint8_t>(shape);
      Check<int8_t>(shape);
    }
  }
}

}  // namespace
}  // namespace dovetail::cpu
