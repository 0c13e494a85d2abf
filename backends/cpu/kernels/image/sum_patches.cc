#include "dovetail/backends/cpu/kernels/image/sum_patches.h"

#include <algorithm>

namespace dovetail::cpu {
namespace {

// Positions at which element `k` of a patch lies inside of the image, and where
// it is at the first one.
struct Inside {
  Inside(const WindowAxis& axis, int64_t k) {
    const int64_t offset = k * axis.dilation - axis.pad;
    const auto first_from = [&](int64_t place) {
      const int64_t way = place - offset;
      const int64_t position = way <= 0 ? 0 : (way - 1) / axis.stride + 1;
      return std::min(axis.output, position);
    };
    begin = first_from(0);
    end = first_from(axis.input);
    place = begin * axis.stride + offset;
  }

  int64_t begin, end, place;
};

void AddRow(const float* from, int64_t count, int64_t stride, float* to) {
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] += from[i];
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * stride] += from[i];
  }
}

}  // namespace

void SumPatches(const PatchesShape& shape, const float* patches, int64_t begin,
                int64_t end, float* images) {
  const auto& [planes, rows, columns] = shape;
  for (int64_t plane = begin; plane < end; ++plane) {
    float* const image = images + plane * shape.image();
    std::fill_n(image, shape.image(), 0.0f);
    for (int64_t k = 0; k < shape.elements(); ++k) {
      const float* const from =
          patches + (plane * shape.elements() + k) * shape.positions();
      const Inside y(rows, k / columns.kernel), x(columns, k % columns.kernel);
      for (int64_t row = y.begin; row < y.end; ++row) {
        const int64_t place = y.place + (row - y.begin) * rows.stride;
        AddRow(from + row * columns.output + x.begin, x.end - x.begin,
               columns.stride, image + place * columns.input + x.place);
      }
    }
  }
}

}  // namespace dovetail::cpu
