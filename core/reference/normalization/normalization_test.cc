#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dovetail/core/ops/normalization/table.h"
#include "dovetail/core/reference/normalization/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const OpTester& Tester() {
  static const OpTester tester(NormalizationOps(), NormalizationKernels());
  return tester;
}

TEST(SoftmaxTest, SumsUpToOne) {
  const double e = std::exp(1.0);
  const Tensor data = Floats({2, 2}, {1, 2, 1000, 1000});
  ExpectNear(Tester().Outputs("Softmax-8", {data}, {{"axis", "-1"}}),
             {1 / (1 + e), e / (1 + e), 0.5, 0.5});
  ExpectNear(Tester().Outputs("Softmax-1", {data}, {{"axis", "0"}}),
             {0, 0, 1, 1});
  ExpectNear(Tester().Outputs("LogSoftmax-5", {data}, {{"axis", "1"}}),
             {-std::log(1 + e), 1 - std::log(1 + e), -std::log(2.0),
              -std::log(2.0)});
}

TEST(SoftmaxTest, TakesInfinitiesAndOtherTypes) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Tester().Run("Softmax-8", {Floats({3}, {-infinity, 0, -infinity})},
                         {{"axis", "0"}}),
            "f32[3] {0, 1, 0}");
  EXPECT_EQ(Tester().Run("Softmax-8",
                         {TensorOf(ElementType::kF16, {1, 2}, {3, 3})}),
            "f16[1,2] {0.5, 0.5}");
  EXPECT_EQ(Tester().Run("Softmax-8",
                         {TensorOf(ElementType::kF64, {1, 2}, {3, 3})}),
            "f64[1,2] {0.5, 0.5}");
  EXPECT_EQ(Tester().Run("Softmax-8", {Floats({}, {7})}, {{"axis", "0"}}),
            "f32[] {1}");
  EXPECT_EQ(Tester().Run("Softmax-8", {Floats({2, 0}, {})}), "f32[2,0] {}");
}

// Every axis of a shape with more lanes side by side than a block has.
TEST(SoftmaxTest, AgreesWithPlainSums) {
  const Shape shape{3, 7, 2, 150};
  std::vector<double> values(shape.Count());
  for (size_t i = 0; i < values.size(); ++i) values[i] = (i * 7) % 11 * 0.5;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t extent = shape[axis];
    const int64_t step = shape.Count(axis + 1, shape.rank());
    std::vector<double> want(values.size());
    for (int64_t i = 0; i < shape.Count(); ++i) {
      const int64_t first = i - i / step % extent * step;
      double sum = 0;
      for (int64_t k = 0; k < extent; ++k) {
        sum += std::exp(values[first + k * step]);
      }
      want[i] = std::exp(values[i]) / sum;
    }
    ExpectNear(Tester().Outputs("Softmax-8", {Floats(shape, values)},
                                {{"axis", std::to_string(axis)}}),
               want);
  }
}

TEST(MvnTest, ShiftsAndScales) {
  // Means 2 and 6, variances 1 and 4.
  const Tensor data = Floats({1, 2, 2}, {1, 3, 4, 8});
  ExpectNear(Tester().Outputs("MVN-0", {data}, {{"across_channels", "false"}}),
             {-1, 1, -1, 1});
  ExpectNear(Tester().Outputs("MVN-0", {data},
                              {{"across_channels", "true"},
                               {"normalize_variance", "false"}}),
             {-3, -1, 0, 4});
  // reduction_axes says nothing.
  ExpectNear(Tester().Outputs("MVN-0", {data},
                              {{"across_channels", "true"},
                               {"reduction_axes", "1"},
                               {"normalize_variance", "false"}}),
             {-3, -1, 0, 4});
  ExpectNear(Tester().Outputs("MVN-6", {data, Int64s({1}, {-1})},
                              {{"eps", "3"}, {"eps_mode", "INSIDE_SQRT"}}),
             {-1 / 2.0, 1 / 2.0, -2 / std::sqrt(7), 2 / std::sqrt(7)});
  ExpectNear(Tester().Outputs("MVN-6", {data, Int64s({1}, {-1})},
                              {{"eps", "1"}, {"eps_mode", "OUTSIDE_SQRT"}}),
             {-1 / 2.0, 1 / 2.0, -2 / 3.0, 2 / 3.0});
}

TEST(MvnTest, TakesAnyAxes) {
  // Axes 0 and 2 of [2, 2, 2]: the lanes are {0, 1, 4, 5} and {2, 3, 6, 7}.
  const Tensor data = Floats({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  ExpectNear(Tester().Outputs("MVN-6", {data, Int64s({2}, {2, 0})},
                              {{"normalize_variance", "false"}}),
             {-2.5, -1.5, -2.5, -1.5, 1.5, 2.5, 1.5, 2.5});
  // Without axes each element is its own mean.
  EXPECT_EQ(Tester().Run("MVN-6", {Floats({2}, {3, 4}), Int64s({0}, {})}),
            "f32[2] {0, 0}");
  EXPECT_EQ(Tester().Run("MVN-6", {Floats({0}, {}), Int64s({1}, {0})}),
            "f32[0] {}");
}

TEST(NormalizeL2Test, ScalesToLengthOne) {
  const Tensor data = Floats({1, 2, 2}, {3, 0, 4, 5});
  ExpectNear(Tester().Outputs("NormalizeL2-0", {data, Int64s({1}, {1})}),
             {0.6, 0, 0.8, 1});
  ExpectNear(Tester().Outputs("NormalizeL2-0", {data, Int64s({1}, {2})},
                              {{"eps", "16"}, {"eps_mode", "add"}}),
             {0.6, 0, 4 / std::sqrt(57), 5 / std::sqrt(57)});
  ExpectNear(Tester().Outputs("NormalizeL2-0", {data, Int64s({1}, {2})},
                              {{"eps", "36"}, {"eps_mode", "max"}}),
             {0.5, 0, 4 / std::sqrt(41), 5 / std::sqrt(41)});
  ExpectNear(Tester().Outputs("GRN-0", {data}, {{"bias", "75"}}),
             {0.3, 0, 0.4, 0.5});
}

TEST(LrnTest, DividesByNeighbours) {
  const Tensor data = Floats({1, 4, 1}, {1, 2, 3, 4});
  const TextAttributes attributes = {
      {"alpha", "3"}, {"beta", "1"}, {"bias", "1"}, {"size", "3"}};
  // Sums of squares: 5, 14, 29, 25.
  ExpectNear(Tester().Outputs("LRN-0", {data, Int64s({1}, {1})}, attributes),
             {1 / 6.0, 2 / 15.0, 3 / 30.0, 4 / 26.0});
  // An even size reaches no further than the odd one below it.
  ExpectNear(Tester().Outputs("LRN-0", {data, Int64s({1}, {1})},
                              {{"alpha", "4"}, {"beta", "1"}, {"size", "4"}}),
             {1 / 5.0, 2 / 14.0, 3 / 29.0, 4 / 25.0});
  // A window over two axes is everything around: 1 + 4 + 9 + 16.
  ExpectNear(Tester().Outputs("LRN-0",
                              {Floats({2, 2}, {1, 2, 3, 4}),
                               Int64s({2}, {0, 1})},
                              {{"alpha", "9"}, {"beta", "1"}, {"size", "3"}}),
             {1 / 30.0, 2 / 30.0, 3 / 30.0, 4 / 30.0});
}

TEST(BatchNormTest, ScalesChannels) {
  const Tensor data = Floats({2, 2, 1}, {1, 2, 3, 4});
  const Tensor gamma = Floats({2}, {2, 1}), beta = Floats({2}, {10, 20});
  const Tensor mean = Floats({2}, {1, 2}), variance = Floats({2}, {3, 0});
  const TextAttributes attributes = {{"epsilon", "1"}};
  ExpectNear(Tester().Outputs("BatchNormInference-5",
                              {data, gamma, beta, mean, variance}, attributes),
             {10, 20, 12, 22});
  ExpectNear(Tester().Outputs("BatchNormInference-0",
                              {gamma, beta, data, mean, variance}, attributes),
             {10, 20, 12, 22});
}

TEST(GroupNormTest, NormalizesGroups) {
  // Groups {1, 3} and {4, 8} of channels with one element each.
  ExpectNear(
      Tester().Outputs("GroupNormalization-12",
                       {Floats({1, 4, 1}, {1, 3, 4, 8}),
                        Floats({4}, {1, 2, 3, 4}), Floats({4}, {0, 0, 1, 1})},
                       {{"num_groups", "2"}}),
      {-1, 2, -2, 5});
  EXPECT_EQ(Tester().Run("GroupNormalization-12",
                         {Floats({0, 2}, {}), Floats({2}, {1, 1}),
                          Floats({2}, {0, 0})},
                         {{"num_groups", "1"}}),
            "f32[0,2] {}");
}

}  // namespace
}  // namespace dovetail
