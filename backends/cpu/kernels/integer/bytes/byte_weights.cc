#include "dovetail/backends/cpu/kernels/integer/bytes/byte_weights.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
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
// So many pairs may be greater: of most blocks of channels all data of a tile
// are small enough, so that of trained networks few runs are multiplied in 16
// bits.
constexpr double kFewPairs = 0.07;
constexpr int64_t kTellingOutputs = 64;

// The weights of one panel, as DirectIntegerMethod packs them.
struct Panel {
  const int16_t* pairs;
  int64_t width;  // of 16 outputs or 8

  int16_t At(int64_t pair, int64_t output, int64_t i) const {
    return pairs[(pair * width + output) * 2 + i];
  }
};

// Of data that are multiplied by weights of that greatest sum.
uint8_t LimitOf(int greatest) {
  return static_cast<uint8_t>(
      std::min(kGreatestByte, std::numeric_limits<int16_t>::max() / greatest));
}

// What unsigned data can make of a run's weights, for each output: the greatest
// sum of a pair, and of the weights of one sign of the pairs 0 and 2, or 1
// and 3.
class GreatestSums {
 public:
  GreatestSums(const Panel& panel, int64_t first_pair, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int16_t *const above = above_[i % 2], *const below = below_[i % 2];
      const int16_t* const pair =
          panel.pairs + (first_pair + i) * panel.width * 2;
      for (int64_t o = 0; o < panel.width; ++o) {
        const int16_t first = pair[o * 2], second = pair[o * 2 + 1];
        const int16_t sum = first + second;
        of_two_[o] = std::max<int16_t>(of_two_[o], sum < 0 ? -sum : sum);
        above[o] += std::max<int16_t>(first, 0) + std::max<int16_t>(second, 0);
        below[o] -= std::min<int16_t>(first, 0) + std::min<int16_t>(second, 0);
      }
    }
  }

  int OfTwo() const { return GreatestOf(of_two_); }
  int OfFour() const {
    return std::max({GreatestOf(above_[0]), GreatestOf(above_[1]),
                     GreatestOf(below_[0]), GreatestOf(below_[1])});
  }

 private:
  using Outputs = int16_t[kPanel];
  static int GreatestOf(const Outputs& sums) {
    return std::max(kSmallPair,
                    int{*std::max_element(std::begin(sums), std::end(sums))});
  }

  Outputs of_two_ = {}, above_[2] = {}, below_[2] = {};
};

// To zeros.
void PackPanel(const DirectPlan& plan, const Panel& panel, int8_t* bytes,
               int32_t* sums) {
  const int64_t block_pairs = plan.row_runs * plan.run_pairs;
  for (int64_t i = 0; i < plan.pairs(); ++i) {
    int8_t* const quads = bytes + i / 2 * panel.width * 4 + i % 2 * 2;
    int32_t* const of_block =
        sums + i / block_pairs % plan.blocks * panel.width;
    for (int64_t o = 0; o < panel.width; ++o) {
      const int16_t first = panel.At(i, o, 0), second = panel.At(i, o, 1);
      quads[o * 4] = static_cast<int8_t>(first);
      quads[o * 4 + 1] = static_cast<int8_t>(second);
      of_block[o] += first + second;
    }
  }
}

// To zeros.
void FindLimits(const DirectPlan& plan, const Panel& panel, uint8_t* of_two,
                uint8_t* of_four) {
  for (int64_t run = 0; run < plan.window_runs(); ++run) {
    const int64_t first = run * plan.run_pairs;
    const GreatestSums sums(panel, first, plan.run_pairs);
    of_two[run] = LimitOf(sums.OfTwo());
    if (plan.lanes == kChannelBlock) of_four[run] = LimitOf(sums.OfFour());
  }
}

}  // namespace

ByteWeights::ByteWeights(const DirectPlan& plan) {
  const auto add = [&](int64_t bytes) {
    const int64_t at = size;
    size += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return at;
  };
  bytes = add(plan.weight_elements());
  sums = add(plan.blocks * plan.output_blocks * kChannelBlock * 4);
  limits = add(plan.panels() * plan.window_runs());
  limits_of_four = add(plan.panels() * plan.window_runs());
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
  return static_cast<double>(great) <= kFewPairs * static_cast<double>(all);
}

void PackByteWeights(const DirectPlan& plan, const int8_t* weights,
                     void* packed) {
  const ByteWeights at(plan);
  char* const to = static_cast<char*>(packed);
  std::fill_n(to, at.size, char{0});
  std::vector<int16_t> pairs(kPanel * plan.pairs() * 2);
  const int64_t runs = plan.window_runs();
  for (int64_t p = 0; p < plan.panels(); ++p) {
    const int64_t outputs =
        std::min(kPanel, plan.output_blocks * kChannelBlock - p * kPanel);
    std::fill(pairs.begin(), pairs.end(), int16_t{0});
    PackIntegerPanel(plan, weights, p, pairs.data());
    const Panel panel = {pairs.data(), outputs};
    PackPanel(
        plan, panel,
        reinterpret_cast<int8_t*>(to + at.bytes) +
            p * kPanel * plan.pairs() * 2,
        reinterpret_cast<int32_t*>(to + at.sums) + p * kPanel * plan.blocks);
    FindLimits(plan, panel,
               reinterpret_cast<uint8_t*>(to + at.limits) + p * runs,
               reinterpret_cast<uint8_t*>(to + at.limits_of_four) + p * runs);
  }
}

}  // namespace dovetail::cpu
