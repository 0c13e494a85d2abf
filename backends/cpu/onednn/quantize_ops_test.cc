#include "dovetail/backends/cpu/onednn/quantize_ops.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

using Algorithm = dnnl::algorithm;

// What post-operations make of one number of a channel.
float Apply(const std::vector<PostOp>& ops, float x, int channel) {
  for (const PostOp& op : ops) {
    switch (op.algorithm) {
      case Algorithm::eltwise_linear:
        x = op.alpha * x + op.beta;
        break;
      case Algorithm::eltwise_round:
        x = std::nearbyint(x);
        break;
      case Algorithm::eltwise_clip:
        x = std::clamp(x, op.alpha, op.beta);
        break;
      case Algorithm::binary_mul:
        x *= op.numbers[channel];
        break;
      case Algorithm::binary_add:
        x += op.numbers[channel];
        break;
      default:
        ADD_FAILURE() << "not a post-operation of FakeQuantize";
    }
  }
  return x;
}

// FakeQuantize as the specification of operations defines it.
double Quantized(const QuantizeRanges& ranges, double x, int channel) {
  const double in_low = ranges.in_low[channel];
  const double in_high = ranges.in_high[channel];
  const double out_low = ranges.out_low[channel];
  const double out_high = ranges.out_high[channel];
  if (x <= in_low) return out_low;
  if (x > in_high) return out_high;
  const double steps = static_cast<double>(ranges.levels - 1);
  return std::nearbyint((x - in_low) / (in_high - in_low) * steps) / steps *
             (out_high - out_low) +
         out_low;
}

// At numbers beyond the range and within, away from where rounding turns.
void ExpectQuantizes(const QuantizeRanges& ranges,
                     const std::vector<PostOp>& ops) {
  for (int channel = 0; channel < static_cast<int>(ranges.in_low.size());
       ++channel) {
    const float low = ranges.in_low[channel], high = ranges.in_high[channel];
    const float step = (high - low) / static_cast<float>(ranges.levels - 1);
    for (float x = low - 3 * step; x < high + 3 * step; x += 0.3f * step) {
      const float level = (x - low) / step;
      if (std::abs(level - std::floor(level) - 0.5f) < 0.01f) continue;
      EXPECT_NEAR(Apply(ops, x, channel), Quantized(ranges, x, channel), 1e-4)
          << x << " of channel " << channel;
    }
  }
}

TEST(QuantizeOpsTest, OneRangeIsOneFactor) {
  const QuantizeRanges ranges = {16, {-1, -1}, {2, 2}, {-1, -1}, {2, 2}};
  const auto ops = QuantizeOpsOf(ranges);
  ASSERT_TRUE(ops.has_value());
  EXPECT_EQ(ops->ops.size(), 4u);
  EXPECT_FALSE(ops->is_whole);
  ExpectQuantizes(ranges, ops->ops);
}

TEST(QuantizeOpsTest, ChannelsHaveRangesOfTheirOwn) {
  const QuantizeRanges ranges = {256, {-1, 0}, {2, 8}, {-1, 0.5}, {2, 4}};
  const auto ops = QuantizeOpsOf(ranges);
  ASSERT_TRUE(ops.has_value());
  ExpectQuantizes(ranges, ops->ops);
}

TEST(QuantizeOpsTest, BytesAreRoundedAndLimitedWhereTheyAreStored) {
  const QuantizeRanges ranges = {256, {0}, {6}, {0}, {255}};
  const auto ops = QuantizeOpsOf(ranges);
  ASSERT_TRUE(ops.has_value());
  EXPECT_TRUE(ops->is_whole);
  EXPECT_EQ(ops->low, 0);
  EXPECT_EQ(ops->high, 255);
  EXPECT_EQ(ops->ops_before_convert.size(), 1u);
  ExpectQuantizes(ranges, ops->ops);
}

// Storing limits to the range of bytes, not to fewer levels.
TEST(QuantizeOpsTest, FewerLevelsAreLimitedBefore) {
  const QuantizeRanges ranges = {16, {0}, {6}, {0}, {15}};
  const auto ops = QuantizeOpsOf(ranges);
  ASSERT_TRUE(ops.has_value());
  EXPECT_TRUE(ops->is_whole);
  EXPECT_EQ(Apply(ops->ops_before_convert, 100, 0), 15);
  EXPECT_EQ(Apply(ops->ops_before_convert, -100, 0), 0);
}

TEST(QuantizeOpsTest, SignedWholeNumbersAreMadeBeforeStoring) {
  const QuantizeRanges ranges = {256, {-2}, {2}, {-128}, {127}};
  const auto ops = QuantizeOpsOf(ranges);
  ASSERT_TRUE(ops.has_value());
  EXPECT_TRUE(ops->is_whole);
  EXPECT_EQ(ops->low, -128);
  EXPECT_EQ(ops->high, 127);
  ExpectQuantizes(ranges, ops->ops_before_convert);
}

TEST(QuantizeOpsTest, RefusesWhatItCannotRound) {
  EXPECT_FALSE(QuantizeOpsOf({1, {0}, {1}, {0}, {1}}).has_value());
  EXPECT_FALSE(QuantizeOpsOf({int64_t{1} << 23, {0}, {1}, {0}, {1}}));
  EXPECT_FALSE(QuantizeOpsOf({256, {1}, {1}, {0}, {255}}).has_value());
  EXPECT_FALSE(QuantizeOpsOf({256, {NAN}, {1}, {0}, {255}}).has_value());
}

}  // namespace
}  // namespace dovetail::cpu
