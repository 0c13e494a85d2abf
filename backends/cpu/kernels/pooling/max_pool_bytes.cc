#include "dovetail/backends/cpu/kernels/pooling/max_pool_bytes.h"

#include <algorithm>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/pooling/max_pool_bytes.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

int64_t DivideUp(int64_t a, int64_t b) { return a <= 0 ? 0 : (a + b - 1) / b; }

// The elements of a window that lie within the input.
struct Taps {
  Taps(const WindowAxis& axis, int64_t output) {
    const int64_t place = output * axis.stride - axis.pad;
    const int64_t begin = DivideUp(-place, axis.dilation);
    const int64_t end = std::min(axis.kernel,
                                 DivideUp(axis.input - place, axis.dilation));
    first = place + begin * axis.dilation;
    count = end - begin;
  }
  int64_t first;  // of the input
  int64_t count;  // a dilation apart
};

// Of one pixel of the output.
template <typename T>
struct Window {
  const T* first;
  int64_t rows, row_step, columns, column_step;
};

// Channels [c, c + lanes of the tag).
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void PoolChannels(D d, const Window<T>& window, int64_t c, T* to) {
  const T* row = window.first + c;
  auto greatest = hn::LoadU(d, row);
  for (int64_t r = 0; r < window.rows; ++r, row += window.row_step) {
    const T* from = row;
    for (int64_t i = 0; i < window.columns; ++i, from += window.column_step) {
      greatest = hn::Max(greatest, hn::LoadU(d, from));
    }
  }
  hn::StoreU(greatest, d, to + c);
}

// The last vector may take some channels again, which changes nothing.
template <size_t kLanes, typename T>
HWY_INLINE void PoolPixel(const Window<T>& window, int64_t width, T* to) {
  const hn::CappedTag<T, kLanes> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t c = 0; c < width; c += lanes) {
    PoolChannels(d, window, std::min(c, width - lanes), to);
  }
}

// Vectors have kLanes channels at most, and no more than there are.
template <size_t kLanes, typename T>
void PoolRow(const MaxPoolShape& shape, const T* plane, int64_t y, T* to) {
  const WindowAxis &rows = shape.rows, &columns = shape.columns;
  const int64_t width = shape.width;
  const Taps down(rows, y);
  Window<T> window;
  window.rows = down.count;
  window.row_step = rows.dilation * columns.input * width;
  window.column_step = columns.dilation * width;
  for (int64_t x = 0; x < columns.output; ++x, to += width) {
    const Taps across(columns, x);
    window.first =
        plane + (down.first * columns.input + across.first) * width;
    window.columns = across.count;
    PoolPixel<kLanes>(window, width, to);
  }
}

template <typename T>
void Pool(const MaxPoolShape& shape, const T* input, int64_t first,
          int64_t count, T* output) {
  const auto pool_row = shape.width >= 64   ? &PoolRow<64, T>
                        : shape.width >= 32 ? &PoolRow<32, T>
                        : shape.width >= 16 ? &PoolRow<16, T>
                        : shape.width >= 8  ? &PoolRow<8, T>
                                            : &PoolRow<1, T>;
  const int64_t plane_size =
      shape.rows.input * shape.columns.input * shape.width;
  for (int64_t i = first; i < first + count; ++i) {
    pool_row(shape, input + i / shape.rows.output * plane_size,
             i % shape.rows.output,
             output + i * shape.columns.output * shape.width);
  }
}

}  // namespace

void PoolUnsigned(const MaxPoolShape& shape, const uint8_t* input,
                  int64_t first, int64_t count, uint8_t* output) {
  Pool(shape, input, first, count, output);
}

void PoolSigned(const MaxPoolShape& shape, const int8_t* input, int64_t first,
                int64_t count, int8_t* output) {
  Pool(shape, input, first, count, output);
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(PoolUnsigned);
HWY_EXPORT(PoolSigned);

void MaxPoolBytes(const MaxPoolShape& shape, const uint8_t* input,
                  int64_t first, int64_t count, uint8_t* output) {
  HWY_DYNAMIC_DISPATCH(PoolUnsigned)(shape, input, first, count, output);
}

void MaxPoolBytes(const MaxPoolShape& shape, const int8_t* input,
                  int64_t first, int64_t count, int8_t* output) {
  HWY_DYNAMIC_DISPATCH(PoolSigned)(shape, input, first, count, output);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
