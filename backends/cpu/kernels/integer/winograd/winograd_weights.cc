#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_weights.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kIn = kWinogradPoints;
constexpr int64_t kPanel = 2 * kChannelBlock;

// Rows of the transformation of weights, times their factors.
constexpr int32_t kG[kIn][3] = {{1, 0, 0}, {1, 1, 1},  {1, -1, 1},
                                {1, 2, 4}, {1, -2, 4}, {0, 0, 1}};

// The greatest magnitude of transformed data, of which each number and its
// negative are sums of so many times 255.
int64_t GreatestInput(int64_t r, int64_t c) {
  static constexpr int64_t kPositive[kIn] = {5, 2, 5, 3, 3, 5};
  static constexpr int64_t kNegative[kIn] = {5, 8, 5, 3, 3, 5};
  const int64_t same =
      kPositive[r] * kPositive[c] + kNegative[r] * kNegative[c];
  const int64_t other =
      kPositive[r] * kNegative[c] + kNegative[r] * kPositive[c];
  return 255 * std::max(same, other);
}

// Whether no sum of products is beyond 32 bits: `sums` are those of the
// magnitudes of an output's weights, of each tap.
bool AreSumsSmall(const int64_t* sums) {
  for (int64_t r = 0; r < kIn; ++r) {
    for (int64_t c = 0; c < kIn; ++c) {
      int64_t weight = 0;
      for (int64_t k = 0; k < 9; ++k) {
        weight += std::abs(kG[r][k / 3] * kG[c][k % 3]) * sums[k];
      }
      if (weight * GreatestInput(r, c) > std::numeric_limits<int32_t>::max()) {
        return false;
      }
    }
  }
  return true;
}

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
  for (int64_t o = 0; o < shape.outputs; ++o) {
    int64_t sums[9] = {};
    for (int64_t i = 0; i < shape.inputs; ++i, weights += 9) {
      for (int64_t k = 0; k < 9; ++k) sums[k] += std::abs(weights[k]);
    }
    if (!AreSumsSmall(sums)) return false;
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
    int16_t* const first = packed + panel * plan.panel_elements() + o % kPanel * 2;
    for (int64_t i = 0; i < plan.shape.inputs; ++i) {
      TransformWeights(weights + (o * plan.shape.inputs + i) * 9,
                       first + i / 2 * width * 2 + i % 2, inputs * width);
    }
  }
}

}  // namespace dovetail::cpu
