// What of Winograd's algorithm is done once: sizes, and weights.
#include <algorithm>
#include <cstdint>

#include "dovetail/backends/common/kernels/movement/transpose_tile.h"
#include "dovetail/backends/common/kernels/simd/simd_targets.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd.h"
#include "dovetail/backends/cpu/kernels/convolution/winograd/winograd_parts.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE \
  "backends/cpu/kernels/convolution/winograd/winograd_weights.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

namespace hn = hwy::HWY_NAMESPACE;
constexpr int64_t kLanes = HWY_MAX_BYTES / sizeof(float);
using D = hn::FixedTag<float, kLanes>;
using V = hn::Vec<D>;
constexpr D kD;

constexpr int64_t kMaxKernel = WinogradAxis::kMaxKernel;
// Outputs of the largest group, whose weights lie side by side.
constexpr int64_t kMaxOutputs = 3 * kLanes;
// Of an output, at a time: with those of the group they stay in an L1 cache.
constexpr int64_t kTapsAtATime = 144;

// How an axis' taps are transformed. Row p is 1, p, p^2 … of a point over the
// product of its distances to the other ones; of infinity it is the last tap
// alone.
struct Transform {
  explicit Transform(const WinogradAxis& axis) : points(axis.points()) {
    static constexpr float kPoint[] = {0, 1, -1, 2, -2};
    static constexpr float kOverOfSix[] = {4, -6, -6, 24, 24};
    static constexpr float kOverOfFour[] = {-1, 2, 2};
    const float* const over = points == 6 ? kOverOfSix : kOverOfFour;
    for (int64_t p = 0; p + 1 < points; ++p) {
      float power = 1 / over[p];
      for (int64_t k = 0; k < axis.kernel; ++k, power *= kPoint[p]) {
        factors[p][k] = power;
      }
    }
  }

  // Point p of kKernel taps, which are `step` vectors apart.
  template <int kKernel>
  HWY_INLINE V Apply(int64_t p, const V* taps, int64_t step) const {
    if (p + 1 == points) return taps[(kKernel - 1) * step];
    V sum = hn::Mul(hn::Set(kD, factors[p][0]), taps[0]);
    if (p == 0) return sum;
    for (int k = 1; k < kKernel; ++k) {
      sum = hn::MulAdd(hn::Set(kD, factors[p][k]), taps[k * step], sum);
    }
    return sum;
  }

  int64_t points;
  float factors[winograd::kPoints][kMaxKernel] = {};
};

// Of one input and a block of outputs. The taps are `step` floats apart, the
// points `point_step`.
template <int kRows, int kColumns>
HWY_INLINE void TransformWindow(const Transform& rows, const Transform& columns,
                                const float* taps, int64_t step, float* to,
                                int64_t point_step) {
  V x[kRows * kColumns];
  for (int k = 0; k < kRows * kColumns; ++k) {
    x[k] = hn::Load(kD, taps + k * step);
  }
  for (int64_t r = 0; r < rows.points; ++r) {
    V row[kColumns];
    for (int c = 0; c < kColumns; ++c) {
      row[c] = rows.Apply<kRows>(r, x + c, kColumns);
    }
    for (int64_t c = 0; c < columns.points; ++c, to += point_step) {
      hn::Store(columns.Apply<kColumns>(c, row, 1), kD, to);
    }
  }
}

template <int kRows, int kColumns>
void TransformGroupOf(const WinogradShape& s, int64_t number,
                      const float* weights, float* transformed) {
  const Transform rows(s.rows), columns(s.columns);
  constexpr int64_t kTaps = kRows * kColumns;
  const OutputGroup group(s.output_blocks(), number);
  const int64_t outputs = group.blocks * kLanes;
  const int64_t first = group.first_block * kLanes;
  const int64_t count = std::min(outputs, s.outputs - first);
  const int64_t summed = s.summed(), planes = s.planes.kernel;
  const int64_t point_step = summed * s.output_blocks() * kLanes;
  const auto turn = host::FindTransposeTile(sizeof(float));
  weights += first * summed * kTaps;
  transformed += first * summed;
  // Zeros for outputs that there are not.
  HWY_ALIGN float taps[kTapsAtATime * kMaxOutputs] = {};
  for (int64_t begin = 0; begin < summed; begin += kTapsAtATime / kTaps) {
    const int64_t now = std::min(kTapsAtATime / kTaps, summed - begin);
    turn(weights + begin * kTaps, summed * kTaps, taps, outputs, count,
         now * kTaps);
    for (int64_t i = 0; i < now; ++i) {
      const int64_t input = (begin + i) / planes, plane = (begin + i) % planes;
      float* const to = transformed + (plane * s.inputs + input) * outputs;
      for (int64_t b = 0; b < outputs; b += kLanes) {
        TransformWindow<kRows, kColumns>(rows, columns,
                                         taps + i * kTaps * outputs + b,
                                         outputs, to + b, point_step);
      }
    }
  }
}

// Of as many taps along both axes, or along one.
template <int kKernel>
void TransformGroupUpTo(const WinogradShape& s, int64_t group,
                        const float* weights, float* transformed) {
  const int64_t larger = std::max(s.rows.kernel, s.columns.kernel);
  if constexpr (kKernel > 2) {
    if (larger < kKernel) {
      TransformGroupUpTo<kKernel - 1>(s, group, weights, transformed);
      return;
    }
  }
  const auto transform = s.rows.kernel == 1 ? &TransformGroupOf<1, kKernel>
                         : s.columns.kernel == 1
                             ? &TransformGroupOf<kKernel, 1>
                             : &TransformGroupOf<kKernel, kKernel>;
  transform(s, group, weights, transformed);
}

void TransformGroup(const WinogradShape& s, int64_t group, const float* weights,
                    float* transformed) {
  TransformGroupUpTo<kMaxKernel>(s, group, weights, transformed);
}

#else

void TransformGroup(const WinogradShape&, int64_t, const float*, float*) {}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(TransformGroup);

int64_t WinogradWeightsSize(const WinogradShape& shape) {
  return shape.points() * shape.summed() * shape.output_blocks() * shape.lanes;
}

// To [point][group of outputs][plane][input][outputs of the group].
void TransformWinogradWeights(const WinogradShape& shape, int64_t group,
                              const float* weights, float* transformed) {
  HWY_DYNAMIC_DISPATCH(TransformGroup)(shape, group, weights, transformed);
}

int64_t WinogradTilesAtATime(const WinogradShape& shape) {
  using winograd::kMaxTogether;
  using winograd::kMinTogether;
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
  using winograd::PointStep;
  const int64_t blocks = winograd::OutputBlocks(shape, part).count;
  return shape.points() * (PointStep(shape, shape.summed_blocks(), part.tiles) +
                           PointStep(shape, blocks, part.tiles));
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
