#include "dovetail/backends/cpu/kernels/integer/bytes/byte_weights.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"

namespace dovetail::cpu {
namespace {

constexpr int64_t kPanel = 2 * kChannelBlock;
constexpr int64_t kAlignment = 64;
// Two weights that add up to so much are multiplied exactly with all bytes.
constexpr int kSmallPair = 128;
constexpr int kGreatestByte = 255;
static_assert(kSmallPair * kGreatestByte <=
              std::numeric_limits<int16_t>::max());
// So many pairs may be greater where the least number of the data is 0: of most
// blocks of channels all data of a tile then are small enough, so that of
// trained networks about a tenth of the runs are multiplied in 16 bits. Data
// around another zero point are mostly too great.
constexpr double kFewPairs = 0.07, kVeryFewPairs = 0.005;
constexpr int64_t kTellingOutputs = 64;

// The weights of one panel, as DirectIntegerMethod packs them.
struct Panel {
  const int16_t* pairs;
  int64_t width;  // of 16 outputs or 8

  int16_t At(int64_t pair, int64_t output, int64_t i) const {
    return pairs[(pair * width + output) * 2 + i];
  }
};

uint8_t LimitOf(const Panel& panel, int64_t first_pair, int64_t count) {
  int greatest = kSmallPair;
  for (int64_t i = first_pair; i < first_pair + count; ++i) {
    for (int64_t o = 0; o < panel.width; ++o) {
      greatest =
          std::max(greatest, std::abs(panel.At(i, o, 0) + panel.At(i, o, 1)));
    }
  }
  return static_cast<uint8_t>(
      std::min(kGreatestByte, std::numeric_limits<int16_t>::max() / greatest));
}

// To zeros.
void PackPanel(const DirectPlan& plan, const Panel& panel, int8_t* bytes,
               int32_t* starts, uint8_t* limits) {
  const int32_t zero_point = UnsignedZeroPoint(plan.shape);
  for (int64_t i = 0; i < plan.pairs(); ++i) {
    int8_t* const quads = bytes + i / 2 * panel.width * 4 + i % 2 * 2;
    for (int64_t o = 0; o < panel.width; ++o) {
      const int16_t first = panel.At(i, o, 0), second = panel.At(i, o, 1);
      quads[o * 4] = static_cast<int8_t>(first);
      quads[o * 4 + 1] = static_cast<int8_t>(second);
      starts[o] -= zero_point * (first + second);
    }
  }
  for (int64_t run = 0; run < plan.window_runs(); ++run) {
    limits[run] = LimitOf(panel, run * plan.run_pairs, plan.run_pairs);
  }
}

}  // namespace

ByteWeights::ByteWeights(const DirectPlan& plan) {
  const auto add = [&](int64_t bytes) {
    const int64_t at = size;
    size += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return at;
  };
  const bool has_pairs = plan.lanes == kChannelBlock;
  pairs = add(has_pairs ? plan.weight_elements() * 2 : 0);
  bytes = add(plan.weight_elements());
  starts = add(plan.output_blocks * kChannelBlock * 4);
  limits = add(plan.panels() * plan.window_runs());
}

int32_t UnsignedZeroPoint(const IntegerConvolutionShape& shape) {
  return shape.zero_point + (shape.input_type == ElementType::kI8 ? 128 : 0);
}

bool AreMostPairsSmall(const IntegerConvolutionShape& shape,
                       const int8_t* weights) {
  const int64_t taps = shape.rows.kernel * shape.columns.kernel;
  const int64_t size = shape.outputs * shape.inputs * taps;
  if (shape.inputs <= DirectPlan::kFewChannels) {
    return std::all_of(weights, weights + size, [](int8_t weight) {
      return std::abs(weight) <= kSmallPair / 2;
    });
  }
  // Some tell enough: it is not what is exact that hangs on it.
  const int64_t step = std::max<int64_t>(1, shape.outputs / kTellingOutputs);
  int64_t great = 0, all = 0;
  for (int64_t o = 0; o < shape.outputs; o += step) {
    const int8_t* row = weights + o * shape.inputs * taps;
    all += shape.inputs / 2 * taps;
    for (int64_t i = 0; i + 2 <= shape.inputs; i += 2, row += 2 * taps) {
      for (int64_t t = 0; t < taps; ++t) {
        great += std::abs(row[t] + row[taps + t]) > kSmallPair;
      }
    }
  }
  const double few = UnsignedZeroPoint(shape) == 0 ? kFewPairs : kVeryFewPairs;
  return static_cast<double>(great) <= few * static_cast<double>(all);
}

void PackByteWeights(const DirectPlan& plan, const int8_t* weights,
                     void* packed) {
  const ByteWeights at(plan);
  char* const to = static_cast<char*>(packed);
  std::fill_n(to, at.size, char{0});
  const bool has_pairs = at.bytes > at.pairs;
  std::vector<int16_t> others(has_pairs ? 0 : plan.weight_elements());
  int16_t* const pairs =
      has_pairs ? reinterpret_cast<int16_t*>(to + at.pairs) : others.data();
  PackIntegerWeights(plan, weights, pairs);
  const int64_t runs = plan.window_runs();
  for (int64_t p = 0; p < plan.panels(); ++p) {
    const int64_t outputs =
        std::min(kPanel, plan.output_blocks * kChannelBlock - p * kPanel);
    const int64_t first = p * kPanel * plan.pairs() * 2;
    PackPanel(plan, {pairs + first, outputs},
              reinterpret_cast<int8_t*>(to + at.bytes) + first,
              reinterpret_cast<int32_t*>(to + at.starts) + p * kPanel,
              reinterpret_cast<uint8_t*>(to + at.limits) + p * runs);
  }
}

}  // namespace dovetail::cpu
