#include "dovetail/backends/cpu/kernels/integer/winograd/winograd_weights.h"

#include <algorithm>
#include <array>
#include <cstring>

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

// Of 16 outputs, a pair of inputs each. Modulo 2^16, which transformed weights
// do not reach, though what they are made of may.
constexpr int64_t kLanes = 2 * kPanel;
using Numbers = std::array<uint16_t, kLanes>;

Numbers Combined(const Numbers* numbers, int64_t step, const int32_t (&g)[3]) {
  const Numbers &a = numbers[0], &b = numbers[step], &c = numbers[2 * step];
  Numbers sums;
  for (int64_t i = 0; i < kLanes; ++i) {
    sums[i] = static_cast<uint16_t>(g[0] * a[i] + g[1] * b[i] + g[2] * c[i]);
  }
  return sums;
}

// w: three rows of three weights. `width` outputs are stored at each of the
// places that are `spot_step` apart.
void TransformWeights(const Numbers* w, int64_t width, int16_t* to,
                      int64_t spot_step) {
  for (int64_t r = 0; r < kIn; ++r) {
    Numbers half[3];
    for (int64_t c = 0; c < 3; ++c) half[c] = Combined(w + c, 3, kG[r]);
    for (int64_t c = 0; c < kIn; ++c, to += spot_step) {
      const Numbers sums = Combined(half, 1, kG[c]);
      std::memcpy(to, sums.data(), width * 2 * sizeof(int16_t));
    }
  }
}

// Weights [outputs, inputs, 3, 3] of a pair of inputs from `input` on, and of
// outputs from `output` on; 0 where there are none.
void LoadWeights(const WinogradShape& shape, const int8_t* weights,
                 int64_t output, int64_t input, Numbers* to) {
  std::fill_n(to, 9, Numbers());
  const int64_t outputs = std::min(kPanel, shape.outputs - output);
  const int64_t inputs = std::min<int64_t>(2, shape.inputs - input);
  for (int64_t o = 0; o < outputs; ++o) {
    const int8_t* const from =
        weights + ((output + o) * shape.inputs + input) * 9;
    for (int64_t i = 0; i < inputs * 9; ++i) {
      to[i % 9][2 * o + i / 9] = static_cast<uint16_t>(from[i]);
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
    int32_t positives = 0, all = 0;
    for (int64_t i = 0; i < shape.inputs * 9; ++i) {
      positives += std::max<int32_t>(weights[i], 0);
      all += weights[i];
    }
    weights += shape.inputs * 9;
    const int64_t positive = positives, negative = all - positive;
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
  for (int64_t panel = 0; panel < plan.panels(); ++panel) {
    const int64_t output = panel * kPanel;
    const int64_t width =
        std::min(kPanel, plan.output_blocks * kChannelBlock - output);
    int16_t* const to = packed + panel * plan.panel_elements();
    for (int64_t i = 0; i < plan.shape.inputs; i += 2) {
      Numbers w[9];
      LoadWeights(plan.shape, weights, output, i, w);
      TransformWeights(w, width, to + i * width, inputs * width);
    }
  }
}

}  // namespace dovetail::cpu
