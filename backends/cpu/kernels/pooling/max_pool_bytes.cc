#include "dovetail/backends/cpu/kernels/pooling/max_pool_bytes.h"

#include <algorithm>
#include <array>
#include <limits>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"

namespace dovetail::cpu {
namespace {

int64_t DivideUp(int64_t a, int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

// Elements of the window of output `o` that lie within the input.
struct Taps {
  int64_t begin, end;
};

Taps TapsOf(const WindowAxis& axis, int64_t o) {
  const int64_t first = o * axis.stride - axis.pad;
  return {DivideUp(-first, axis.dilation),
          std::min(axis.kernel, DivideUp(axis.input - first, axis.dilation))};
}

template <typename T>
using Block = std::array<T, kChannelBlock>;

// to = max(to, from) for blocks `from_stride` apart; compilers make vectors of
// it where blocks lie together.
template <typename T>
void TakeMaximum(const T* from, int64_t from_stride, int64_t count, T* to) {
  if (from_stride == kChannelBlock) {
    for (int64_t i = 0; i < count * kChannelBlock; ++i) {
      to[i] = std::max(to[i], from[i]);
    }
    return;
  }
  for (int64_t x = 0; x < count;
       ++x, from += from_stride, to += kChannelBlock) {
    Block<T> a, b;
    std::copy_n(from, kChannelBlock, a.begin());
    std::copy_n(to, kChannelBlock, b.begin());
    for (int64_t i = 0; i < kChannelBlock; ++i) b[i] = std::max(a[i], b[i]);
    std::copy_n(b.begin(), kChannelBlock, to);
  }
}

// Outputs whose windows have tap `c` within the input.
struct Range {
  int64_t begin, end;
};

Range OutputsWith(const WindowAxis& axis, int64_t tap) {
  const int64_t shift = axis.pad - tap * axis.dilation;
  const int64_t begin = DivideUp(shift, axis.stride);
  const int64_t end = DivideUp(axis.input + shift, axis.stride);
  return {std::min(begin, axis.output), std::min(end, axis.output)};
}

template <typename T>
void PoolRow(const MaxPoolShape& shape, const T* plane, int64_t y, T* to) {
  const WindowAxis& columns = shape.columns;
  const WindowAxis& rows = shape.rows;
  std::fill(to, to + columns.output * kChannelBlock,
            std::numeric_limits<T>::min());
  const Taps taps = TapsOf(rows, y);
  for (int64_t r = taps.begin; r < taps.end; ++r) {
    const int64_t iy = y * rows.stride - rows.pad + r * rows.dilation;
    const T* const row = plane + iy * columns.input * kChannelBlock;
    for (int64_t c = 0; c < columns.kernel; ++c) {
      const Range range = OutputsWith(columns, c);
      if (range.begin >= range.end) continue;
      const int64_t ix =
          range.begin * columns.stride - columns.pad + c * columns.dilation;
      TakeMaximum(row + ix * kChannelBlock, columns.stride * kChannelBlock,
                  range.end - range.begin, to + range.begin * kChannelBlock);
    }
  }
}

template <typename T>
void Pool(const MaxPoolShape& shape, const T* input, int64_t first,
          int64_t count, T* output) {
  const int64_t plane_size =
      shape.rows.input * shape.columns.input * kChannelBlock;
  for (int64_t i = first; i < first + count; ++i) {
    PoolRow(shape, input + i / shape.rows.output * plane_size,
            i % shape.rows.output,
            output + i * shape.columns.output * kChannelBlock);
  }
}

}  // namespace

void MaxPoolBytes(const MaxPoolShape& shape, const uint8_t* input,
                  int64_t first, int64_t count, uint8_t* output) {
  Pool(shape, input, first, count, output);
}

void MaxPoolBytes(const MaxPoolShape& shape, const int8_t* input,
                  int64_t first, int64_t count, int8_t* output) {
  Pool(shape, input, first, count, output);
}

}  // namespace dovetail::cpu
