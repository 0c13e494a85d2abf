#include "dovetail/backends/cpu/kernels/convolution/gathered/gathered_parts.h"

#include <algorithm>

namespace dovetail::cpu {
namespace gathered {
namespace {

// The pixels of a row of the output whose tap lies within the input.
struct Inside {
  Inside(const WindowAxis& axis, int64_t tap) {
    const int64_t shift = tap * axis.dilation - axis.pad;
    const auto first_at_least = [&](int64_t place) {
      const int64_t need = std::max<int64_t>(0, place - shift);
      return std::min(axis.output, (need + axis.stride - 1) / axis.stride);
    };
    begin = first_at_least(0);
    end = std::max(begin, first_at_least(axis.input));
  }
  int64_t begin, end;
};

// `count` vectors that lie `step` floats apart.
void CopyVectors(const float* from, int64_t step, int64_t count, float* to) {
  if (step == kLanes) {
    std::copy_n(from, count * kLanes, to);
    return;
  }
  for (int64_t i = 0; i < count; ++i, from += step, to += kLanes) {
    std::copy_n(from, kLanes, to);
  }
}

// One tap of the pixels `begin` to `end` of a row, of which `row` is the
// input's; null: padding.
void GatherRow(const WindowAxis& columns, int64_t tap, const float* row,
               int64_t begin, int64_t end, float* to) {
  const Inside inside(columns, tap);
  const int64_t first = std::clamp(inside.begin, begin, end);
  const int64_t last =
      row == nullptr ? first : std::clamp(inside.end, first, end);
  std::fill_n(to, (first - begin) * kLanes, 0.0f);
  if (last > first) {
    const int64_t x =
        first * columns.stride + tap * columns.dilation - columns.pad;
    CopyVectors(row + x * kLanes, columns.stride * kLanes, last - first,
                to + (first - begin) * kLanes);
  }
  std::fill_n(to + (last - begin) * kLanes, (end - last) * kLanes, 0.0f);
}

// One tap of all pixels of a part, of one block of the input.
void GatherTap(const GatheredShape& s, const GatheredPart& part,
               const float* plane, int64_t tap, float* to) {
  const int64_t row_tap = tap / s.columns.kernel;
  const int64_t end = part.first_pixel + part.pixels;
  for (int64_t pixel = part.first_pixel; pixel < end;) {
    const int64_t y = pixel / s.columns.output, x = pixel % s.columns.output;
    const int64_t count = std::min(s.columns.output - x, end - pixel);
    const int64_t from =
        y * s.rows.stride + row_tap * s.rows.dilation - s.rows.pad;
    const bool is_inside = from >= 0 && from < s.rows.input;
    GatherRow(s.columns, tap % s.columns.kernel,
              is_inside ? plane + from * s.columns.input * kLanes : nullptr, x,
              x + count, to);
    pixel += count;
    to += count * kLanes;
  }
}

}  // namespace

void Gather(const GatheredShape& shape, const GatheredPart& part,
            const float* input, int64_t first, int64_t count, float* to) {
  const int64_t plane = shape.rows.input * shape.columns.input * kLanes;
  const int64_t first_block = part.image * shape.input_blocks();
  for (int64_t i = first; i < first + count; ++i, to += VectorStep(part)) {
    GatherTap(shape, part, input + (first_block + i / shape.taps()) * plane,
              i % shape.taps(), to);
  }
}

}  // namespace gathered

bool GatheredShape::is_gathered() const {
  return taps() == 1 && rows.stride == 1 && columns.stride == 1 &&
         rows.pad == 0 && columns.pad == 0 && rows.output == rows.input &&
         columns.output == columns.input;
}

int64_t GatheredGroups(const GatheredShape& shape) {
  return OutputGroup::Count(shape.output_blocks());
}

int64_t GatheredWeightsSize(const GatheredShape& shape) {
  return shape.vectors() * GatheredShape::kLanes * shape.output_blocks() *
         GatheredShape::kLanes;
}

// To [group of outputs][block][tap][input][outputs of the group].
void PackGatheredWeights(const GatheredShape& shape, const float* weights,
                         float* packed) {
  constexpr int64_t kLanes = GatheredShape::kLanes;
  const int64_t taps = shape.taps();
  std::fill_n(packed, GatheredWeightsSize(shape), 0.0f);
  for (int64_t g = 0; g < GatheredGroups(shape); ++g) {
    const OutputGroup group(shape.output_blocks(), g);
    const int64_t first = group.first_block * kLanes;
    const int64_t lanes = group.blocks * kLanes;
    for (int64_t i = 0; i < shape.input_blocks() * taps * kLanes; ++i) {
      const int64_t input = i / (taps * kLanes) * kLanes + i % kLanes;
      const int64_t tap = i / kLanes % taps;
      const int64_t count =
          input < shape.inputs ? std::min(lanes, shape.outputs - first) : 0;
      for (int64_t o = 0; o < count; ++o) {
        packed[o] = weights[((first + o) * shape.inputs + input) * taps + tap];
      }
      packed += lanes;
    }
  }
}

int64_t GatheredScratchSize(const GatheredShape& shape,
                            const GatheredPart& part) {
  const int64_t vectors =
      shape.is_gathered()
          ? 0
          : std::min(shape.vectors(), gathered::kVectorsAtATime);
  const int64_t sums = gathered::OutputBlocks(shape, part).count * part.pixels *
                       GatheredShape::kLanes;
  constexpr int64_t kCacheLine = 16;
  return vectors * gathered::VectorStep(part) + sums + kCacheLine;
}

}  // namespace dovetail::cpu
