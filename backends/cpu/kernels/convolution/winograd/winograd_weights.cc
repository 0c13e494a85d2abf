// What of Winograd's algorithm is done once: sizes, and weights.
#include <algorithm>

#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd_parts.h"

namespace dovetail::cpu {
namespace {

using winograd::kMaxTogether;
using winograd::kMinTogether;
using winograd::kPoints;
using winograd::OutputBlocks;
using winograd::PointStep;

constexpr int64_t kMaxKernel = WinogradAxis::kMaxKernel;
// Channels of outputs of the largest group, whose weights lie side by side.
constexpr int64_t kMaxLanes = 3 * 16;

// Row p is 1, p, p^2 … of a point over the product of its distances to the
// other ones; of infinity it is the last tap alone.
struct Transform {
  explicit Transform(const WinogradAxis& axis)
      : points(axis.points()), kernel(axis.kernel) {
    static constexpr float kPoint[] = {0, 1, -1, 2, -2};
    static constexpr float kOverOfSix[] = {4, -6, -6, 24, 24};
    static constexpr float kOverOfFour[] = {-1, 2, 2};
    if (points == 1) {
      factors[0][0] = 1;
      return;
    }
    const float* const over = points == 6 ? kOverOfSix : kOverOfFour;
    for (int64_t p = 0; p + 1 < points; ++p) {
      float power = 1 / over[p];
      for (int64_t k = 0; k < kernel; ++k, power *= kPoint[p]) {
        factors[p][k] = power;
      }
    }
    factors[points - 1][kernel - 1] = 1;
  }

  // out = the factors of point p times taps, `step` apart, for `kMaxLanes`.
  void Apply(int64_t p, const float (*taps)[kMaxLanes], int64_t step,
             float* out) const {
    for (int64_t l = 0; l < kMaxLanes; ++l) out[l] = factors[p][0] * taps[0][l];
    for (int64_t k = 1; k < kernel; ++k) {
      for (int64_t l = 0; l < kMaxLanes; ++l) {
        out[l] += factors[p][k] * taps[k * step][l];
      }
    }
  }

  int64_t points, kernel;
  float factors[kPoints][kMaxKernel] = {};
};

// Of up to kMaxLanes outputs for one input, which lie side by side: `lanes`
// with padding. `w` is that of the first output, `step` the way to the next.
void TransformLanes(const Transform& rows, const Transform& columns,
                    const float* w, int64_t step, int64_t count, int64_t lanes,
                    float* to, int64_t point_step) {
  const int64_t size = rows.kernel * columns.kernel;
  float taps[kMaxKernel * kMaxKernel][kMaxLanes] = {};
  for (int64_t o = 0; o < count; ++o) {
    for (int64_t k = 0; k < size; ++k) taps[k][o] = w[o * step + k];
  }
  for (int64_t r = 0; r < rows.points; ++r) {
    float half[kMaxKernel][kMaxLanes];
    for (int64_t c = 0; c < columns.kernel; ++c) {
      rows.Apply(r, taps + c, columns.kernel, half[c]);
    }
    for (int64_t c = 0; c < columns.points; ++c) {
      float all[kMaxLanes];
      columns.Apply(c, half, 1, all);
      std::copy(all, all + lanes, to + (r * columns.points + c) * point_step);
    }
  }
}

}  // namespace

int64_t WinogradWeightsSize(const WinogradShape& shape) {
  return shape.points() * shape.summed() * shape.output_blocks() * shape.lanes;
}

// To [point][group of outputs][plane][input][outputs of the group].
void TransformWinogradWeights(const WinogradShape& shape, const float* weights,
                              float* transformed) {
  const Transform rows(shape.rows), columns(shape.columns);
  const int64_t size = rows.kernel * columns.kernel;
  const int64_t summed = shape.summed(), planes = shape.planes.kernel;
  const int64_t point_step = summed * shape.output_blocks() * shape.lanes;
  for (int64_t g = 0; g < WinogradGroups(shape); ++g) {
    const OutputGroup group(shape.output_blocks(), g);
    const int64_t first = group.first_block * shape.lanes;
    const int64_t lanes = group.blocks * shape.lanes;
    const int64_t count = std::min(lanes, shape.outputs - first);
    for (int64_t i = 0; i < summed; ++i) {
      const int64_t input = i % shape.inputs, plane = i / shape.inputs;
      const int64_t from = first * summed + input * planes + plane;
      TransformLanes(rows, columns, weights + from * size, summed * size, count,
                     lanes, transformed + first * summed + i * lanes,
                     point_step);
    }
  }
}

int64_t WinogradTilesAtATime(const WinogradShape& shape) {
  const int64_t floats = shape.points() * shape.lanes *
                         (shape.summed_blocks() + shape.output_blocks());
  const int64_t fit = shape.cache_floats / floats / 6 * 6;
  return std::clamp<int64_t>(fit, kMinTogether, kMaxTogether);
}

int64_t WinogradGroups(const WinogradShape& shape) {
  return OutputGroup::Count(shape.output_blocks());
}

int64_t WinogradScratchSize(const WinogradShape& shape,
                            const WinogradPart& part) {
  const int64_t blocks = OutputBlocks(shape, part).count;
  return shape.points() * (PointStep(shape, shape.summed_blocks(), part.tiles) +
                           PointStep(shape, blocks, part.tiles));
}

}  // namespace dovetail::cpu
