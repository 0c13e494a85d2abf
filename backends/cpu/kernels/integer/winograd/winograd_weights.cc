#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_weights.h"

#include <algorithm>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kIn = kWinogradPoints;
constexpr int64_t kPanel = 2 * kChannelBlock;

// Rows of the transformation of weights, times their factors: 24, and 6 for the
// last. These leave least to do for the transformation of sums, and the weights
// in 16 bits, at 12 x 12 x 128.
constexpr int32_t kG[kIn][3] = {{6, 0, 0}, {-4, -4, -4}, {-4, 4, -4},
                                {1, 2, 4}, {1, -2, 4},   {0, 0, 6}};

// 576 times as much, modulo 2^32, says a sum from -2^25 on and below 2^25.
constexpr int64_t kGreatestSum = (int64_t{1} << 25) - 1;

// Of one output for one input, to places `spot_step` apart.
void TransformWeights(const int8_t* w, int16_t* to, int64_t spot_step) {
  for (int64_t r = 0; r < kIn; ++r) {
    int32_t half[3];
    for (int64_t c = 0; c < 3; ++c) {
      half[c] = kG[r][0] * w[c] + kG[r][1] * w[3 + c] + kG[r][2] * w[6 + c];
    }
    for (int64_t c = 0; c < kIn; ++c) {
      to[(r * kIn + c) * spot_step] = static_cast<int16_t>(
          kG[c][0] * half[0] + kG[c][1] * half[1] + kG[c][2] * half[2]);
    }
  }
}

}  // namespace

bool AreWinogradSumsExact(const IntegerConvolutionShape& shape,
                          const int8_t* weights) {
  const bool is_signed = shape.input_type == ElementType::kI8;
  const int64_t least = (is_signed ? -128 : 0) - shape.zero_point;
  const int64_t greatest = (is_signed ? 127 : 255) - shape.zero_point;
  for (int64_t o = 0; o < shape.outputs; ++o) {
    int64_t positive = 0, negative = 0;
    for (int64_t i = 0; i < shape.inputs * 9; ++i, ++weights) {
      (*weights > 0 ? positive : negative) += *weights;
    }
    if (positive * greatest + negative * least > kGreatestSum ||
        positive * least + negative * greatest < -kGreatestSum) {
      return false;
    }
  }
  return true;
}

void PackIntegerWeights(const IntegerWinogradPlan& plan, const int8_t* weights,
                        int16_t* packed) {
  const int64_t inputs = plan.input_blocks * kChannelBlock;
  for (int64_t o = 0; o < plan.shape.outputs; ++o) {
    const int64_t panel = o / kPanel;
    const int64_t width =
        std::min(kPanel, plan.output_blocks * kChannelBlock - panel * kPanel);
    int16_t* const first =
        packed + panel * plan.panel_elements() + o % kPanel * 2;
    for (int64_t i = 0; i < plan.shape.inputs; ++i) {
      TransformWeights(weights + (o * plan.shape.inputs + i) * 9,
                       first + i / 2 * width * 2 + i % 2, inputs * width);
    }
  }
}

}  // namespace dovetail::cpu
