#include "dovetail/backends/cpu/kernels/integer/bytes/bytes.h"

#include <vector>

#include "dovetail/backends/cpu/kernels/integer/integer_convolution.h"
#include "dovetail/backends/cpu/kernels/integer/testing/integer_problem.h"
#include "gtest/gtest.h"

namespace dovetail::cpu {
namespace {

constexpr auto kU8 = ElementType::kU8;
constexpr auto kI8 = ElementType::kI8;

struct Range {
  int least, greatest;
};

// With no great weights, some, and many; and with data of which sums of two or
// of four products are of 16 bits, nearly always or seldom.
void Check(const std::vector<IntegerConvolutionShape>& shapes) {
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!IntegerConvolution::IsSupported(shapes[i])) {
      GTEST_SKIP() << "no vectors of 16 integers";
    }
    for (const int rarity : {1 << 30, 40, 1}) {
      SCOPED_TRACE(testing::Message() << "shape " << i << ", " << rarity);
      const bool few = shapes[i].inputs <= DirectPlan::kFewChannels;
      if (few && rarity < 1000) continue;
      for (const Range range : {Range{0, 255}, {0, 130}, {100, 150}, {7, 7}}) {
        const IntegerProblem problem({.shape = shapes[i],
                                      .epilogue = {.output_type = kU8},
                                      .rarity_of_great_weights = rarity,
                                      .least_input = range.least,
                                      .greatest_input = range.greatest});
        problem.Check(ByteIntegerMethod(shapes[i], 2));
      }
      for (const ElementType type : {ElementType::kF32, kI8}) {
        const IntegerProblem problem({.shape = shapes[i],
                                      .epilogue = {.output_type = type},
                                      .rarity_of_great_weights = rarity});
        problem.Check(ByteIntegerMethod(shapes[i], 2));
      }
    }
  }
}

TEST(ByteIntegerMethodTest, OfSinglePixels) {
  Check({
      {1, 16, 16, 1, {5, 5}, {7, 7}, kU8, 0},
      {2, 24, 20, 1, {3, 3}, {6, 6}, kU8, 128},
      {1, 9, 40, 1, {4, 4}, {4, 4}, kI8, -3},
      {1, 32, 8, 1, {9, 5, 1, 2}, {13, 7, 1, 2}, kU8, 3},
      {1, 1100, 37, 1, {4, 4}, {5, 5}, kU8, 0},
      {3, 8, 24, 1, {2, 2}, {3, 5, 1, 1, 1, 1}, kU8, 255},
  });
}

TEST(ByteIntegerMethodTest, OfWindows) {
  Check({
      {1, 16, 16, 1, {8, 8, 3, 1, 1, 1}, {9, 9, 3, 1, 1, 1}, kU8, 0},
      {1, 16, 24, 1, {8, 4, 3, 2, 1, 1}, {31, 16, 3, 2, 1, 1}, kU8, 100},
      {1, 64, 16, 1, {9, 5, 5, 2, 1, 2}, {30, 10, 5, 3, 1, 2}, kI8, -7},
      {1, 40, 48, 1, {3, 3, 3, 1, 1, 1}, {120, 120, 3, 1, 1, 1}, kU8, 0},
      {1, 16, 24, 1, {20, 20, 3, 1, 4, 4}, {20, 20, 3, 1, 4, 4}, kU8, 9},
      {1, 24, 16, 1, {9, 9, 3, 1, 1, 1}, {15, 15, 3, 1, 2, 2}, kI8, 0},
  });
}

TEST(ByteIntegerMethodTest, OfFewChannels) {
  Check({
      {2, 3, 12, 1, {9, 5, 7, 2, 1, 3}, {11, 6, 7, 2, 1, 3}, kI8, 5},
      {1, 3, 32, 1, {12, 6, 3, 2, 1, 1}, {40, 20, 3, 2, 1, 1}, kU8, 128},
      {1, 1, 5, 1, {6, 6, 3, 1, 1, 1}, {40, 40, 3, 1, 1, 1}, kU8, 7},
      {1, 4, 16, 1, {6, 6, 5, 1, 1, 2}, {9, 9, 5, 1, 1, 2}, kI8, 0},
      {1, 2, 8, 1, {6, 6, 1, 1, 1, 0}, {9, 9, 3, 1, 1, 1}, kU8, 0},
  });
}

TEST(ByteIntegerMethodTest, TakesWeightsOfWhichFewAreGreat) {
  IntegerConvolutionShape shape = {1, 2 * 64, 4, 1, {5, 5}, {5, 5}, kU8};
  std::vector<int8_t> weights(shape.inputs * shape.outputs, 64);
  EXPECT_TRUE(ByteIntegerMethod::IsFitting(shape, weights.data()));
  for (size_t i = 0; i < weights.size(); i += 64) weights[i] = 65;
  EXPECT_TRUE(ByteIntegerMethod::IsFitting(shape, weights.data()));
  for (size_t i = 0; i < weights.size(); i += 8) weights[i] = 65;
  EXPECT_FALSE(ByteIntegerMethod::IsFitting(shape, weights.data()));
  // Others for more pixels only.
  shape.rows = {9, 9};
  EXPECT_TRUE(ByteIntegerMethod::IsFitting(shape, weights.data()));
}

// What PackByteWeights says of 16 outputs of one run, whose first output has
// these weights and the others zeros.
struct Limits {
  int of_two, of_four;
};
Limits LimitsOf(const std::vector<int8_t>& run) {
  const IntegerConvolutionShape shape = {1, 8, 16, 1, {5, 5}, {5, 5}, kU8};
  std::vector<int8_t> weights = run;
  weights.resize(shape.inputs * shape.outputs);
  const DirectPlan plan(shape, 1, /*of_bytes=*/true);
  const ByteWeights at(plan);
  std::vector<uint8_t> packed(at.size);
  PackByteWeights(plan, weights.data(), packed.data());
  return {packed[at.limits], packed[at.limits_of_four]};
}

// Numbers up to 32767 / sum: of neighbours, and of 0, 1, 4 and 5 or the others.
TEST(ByteIntegerMethodTest, LimitsAreOfTheGreatestSums) {
  const auto expect = [](const std::vector<int8_t>& run, int of_two,
                         int of_four) {
    const Limits limits = LimitsOf(run);
    EXPECT_EQ(limits.of_two, of_two);
    EXPECT_EQ(limits.of_four, of_four);
  };
  expect({64, 64, 0, 0, 0, 0, -64, -64}, 255, 255);
  expect({32, 32, -32, -32, 32, 32, -32, -32}, 255, 255);
  expect({32, 32, 0, 0, 33, 32, 0, 0}, 255, 254);
  expect({0, 0, -64, -65, 0, 0, 0, 0}, 254, 254);
  expect({127, -128, 0, 0, 127, -128, 0, 0}, 255, 127);
  expect({0, 0, 127, 127, 0, 0, 127, 127}, 129, 64);
}

// One is too much where channels are few.
TEST(ByteIntegerMethodTest, TakesNoGreatWeightsOfFewChannels) {
  const IntegerConvolutionShape shape = {1, 3, 4, 1, {8, 8}, {8, 8}, kU8};
  std::vector<int8_t> weights(shape.inputs * shape.outputs, -64);
  EXPECT_TRUE(ByteIntegerMethod::IsFitting(shape, weights.data()));
  weights[5] = 65;
  EXPECT_FALSE(ByteIntegerMethod::IsFitting(shape, weights.data()));
}

}  // namespace
}  // namespace dovetail::cpu
