#include "dovetail/backends/common/kernels/image/deformable_columns.h"

#include <algorithm>
#include <cmath>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/common/kernels/image/deformable_columns.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/common/kernels/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::host {
namespace HWY_NAMESPACE {
namespace {

// The pixels around a place, and what each of them weighs. Those outside of the
// image are zeros in memory, so that nothing is multiplied that is not read.
struct Corners {
  const float* at[4];
  float weights[4];
};

// Whether interpolation reaches a place; NaN is none.
HWY_INLINE bool Reaches(float place, int64_t extent, bool blends) {
  return (blends ? place > -1 : place >= 0) &&
         place < static_cast<float>(extent);
}

HWY_INLINE Corners CornersAt(const DeformableShape& shape,
                             const DeformableImage& image, float y, float x,
                             float mask) {
  const float* const zeros = image.zeros;
  Corners corners = {{zeros, zeros, zeros, zeros}, {mask, 0, 0, 0}};
  const int64_t height = shape.y.input, width = shape.x.input;
  if (!Reaches(y, height, shape.blends_with_zeros) ||
      !Reaches(x, width, shape.blends_with_zeros)) {
    return corners;
  }
  const int64_t top = static_cast<int64_t>(std::floor(y));
  const int64_t left = static_cast<int64_t>(std::floor(x));
  const int64_t last = shape.blends_with_zeros ? 0 : 1;
  const int64_t rows[2] = {top, std::min(top + 1, height - last)};
  const int64_t columns[2] = {left, std::min(left + 1, width - last)};
  const float down = y - static_cast<float>(top);
  const float along = x - static_cast<float>(left);
  const float by_row[2] = {(1 - down) * mask, down * mask};
  const float by_column[2] = {1 - along, along};
  for (int i = 0; i < 4; ++i) {
    const int64_t row = rows[i / 2], column = columns[i % 2];
    corners.weights[i] = by_row[i / 2] * by_column[i % 2];
    if (row >= 0 && row < height && column >= 0 && column < width) {
      corners.at[i] = image.data + (row * width + column) * shape.channels;
    }
  }
  return corners;
}

// `count` channels of a place, which are beside each other in a column too.
HWY_INLINE void Blend(const Corners& corners, int64_t count, float* to) {
  const RowTag d;
  const auto w0 = hn::Set(d, corners.weights[0]);
  const auto w1 = hn::Set(d, corners.weights[1]);
  const auto w2 = hn::Set(d, corners.weights[2]);
  const auto w3 = hn::Set(d, corners.weights[3]);
  const auto sum = [=](auto a, auto b, auto c, auto e) HWY_ATTR {
    return hn::MulAdd(a, w0,
                      hn::MulAdd(b, w1, hn::MulAdd(c, w2, hn::Mul(e, w3))));
  };
  const float *a = corners.at[0], *b = corners.at[1];
  const float *c = corners.at[2], *e = corners.at[3];
  int64_t i = 0;
  for (; i + RowLanes() <= count; i += RowLanes()) {
    hn::StoreU(sum(hn::LoadU(d, a + i), hn::LoadU(d, b + i),
                   hn::LoadU(d, c + i), hn::LoadU(d, e + i)),
               d, to + i);
  }
  const int64_t rest = count - i;
  if (rest == 0) return;
  StoreFew(sum(LoadFew(a + i, rest, 0), LoadFew(b + i, rest, 0),
               LoadFew(c + i, rest, 0), LoadFew(e + i, rest, 0)),
           to + i, rest);
}

// The channels of an offset group at one tap, cut where groups end.
HWY_INLINE void SampleTap(const DeformableShape& shape,
                          const DeformableImage& image, Corners corners,
                          int64_t offset_group, int64_t tap, float* column) {
  const int64_t size = shape.channels / shape.offset_groups;
  const int64_t group_size = shape.group_channels();
  const int64_t end = (offset_group + 1) * size;
  for (int i = 0; i < 4; ++i) {
    if (corners.at[i] != image.zeros) corners.at[i] += offset_group * size;
  }
  for (int64_t c = offset_group * size; c < end;) {
    const int64_t group = c / group_size;
    const int64_t count = std::min(end, (group + 1) * group_size) - c;
    Blend(corners, count,
          column + (group * (shape.taps() - 1) + tap) * group_size + c);
    // Zeros as well, of which there are as many as channels of the group.
    for (const float*& at : corners.at) at += count;
    c += count;
  }
}

void SamplePixel(const DeformableShape& shape, const DeformableImage& image,
                 int64_t pixel, float* column) {
  const int64_t pixels = shape.pixels();
  const int64_t top = shape.y.Begin(pixel / shape.x.output);
  const int64_t left = shape.x.Begin(pixel % shape.x.output);
  const float* offset = image.offsets + pixel;
  const float* mask = image.mask == nullptr ? nullptr : image.mask + pixel;
  for (int64_t group = 0; group < shape.offset_groups; ++group) {
    int64_t tap = 0;
    for (int64_t ky = 0; ky < shape.y.kernel; ++ky) {
      const auto row = static_cast<float>(top + ky * shape.y.dilation);
      for (int64_t kx = 0; kx < shape.x.kernel; ++kx, ++tap) {
        const auto at = static_cast<float>(left + kx * shape.x.dilation);
        const Corners corners =
            CornersAt(shape, image, offset[0] + row, offset[pixels] + at,
                      mask == nullptr ? 1 : *mask);
        SampleTap(shape, image, corners, group, tap, column);
        offset += 2 * pixels;
        if (mask != nullptr) mask += pixels;
      }
    }
  }
}

}  // namespace

void Sample(const DeformableShape& shape, const DeformableImage& image,
            int64_t first, int64_t count, float* columns) {
  for (int64_t i = 0; i < count; ++i) {
    SamplePixel(shape, image, first + i, columns + i * shape.column_size());
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::host {

HWY_EXPORT(Sample);

void SampleColumns(const DeformableShape& shape, const DeformableImage& image,
                   int64_t first, int64_t count, float* columns) {
  HWY_DYNAMIC_DISPATCH(Sample)(shape, image, first, count, columns);
}

}  // namespace dovetail::host
#endif  // HWY_ONCE
