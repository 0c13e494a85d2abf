#include "dovetail/backends/common/program/variables/variable_gather.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;

Tensor Numbers(const std::vector<int32_t>& values) {
  return *Tensor::FromValues<int32_t>({static_cast<int64_t>(values.size())},
                                      values);
}

// The slices that `gather` takes of 0, 1, … 5 in two columns of three rows.
std::vector<float> Gathered(const VariableGather& gather, const Tensor& from,
                            const Tensor& indices) {
  const Tensor to = *Tensor::AllocateUninitialized(
      ElementType::kF32, GatheredShape(gather, from.shape(), indices));
  EXPECT_TRUE(GatherSlices(gather, from, indices, to).ok());
  return {to.span<float>().begin(), to.span<float>().end()};
}

const Tensor& SixNumbers() {
  static const Tensor tensor =
      *Tensor::FromValues<float>({3, 2}, {0, 1, 2, 3, 4, 5});
  return tensor;
}

TEST(VariableGatherTest, AllIsTakenWhereNothingMoves) {
  EXPECT_TRUE(TakesAll(Numbers({0, 1, 2}), 3));
  EXPECT_FALSE(TakesAll(Numbers({0, 2, 1}), 3));
  EXPECT_FALSE(TakesAll(Numbers({0, 1}), 3));
  EXPECT_FALSE(TakesAll(Numbers({0, 1, 2}), 2));
  EXPECT_TRUE(TakesAll(Numbers({}), 0));
}

TEST(VariableGatherTest, TakesSlicesByTheirNumbers) {
  EXPECT_EQ(GatheredShape({0, 1}, {3, 2}, Numbers({0, 0, 1, 1})),
            (Shape{3, 4}));
  EXPECT_THAT(Gathered({0, 0}, SixNumbers(), Numbers({2, 0})),
              ElementsAre(4, 5, 0, 1));
  EXPECT_THAT(Gathered({0, 1}, SixNumbers(), Numbers({1, 1, 0})),
              ElementsAre(1, 1, 0, 3, 3, 2, 5, 5, 4));
  EXPECT_TRUE(Gathered({0, 0}, SixNumbers(), Numbers({})).empty());
}

TEST(VariableGatherTest, NumbersOutsideGiveZeros) {
  EXPECT_THAT(Gathered({0, 0, true}, SixNumbers(), Numbers({-1, 3, -4})),
              ElementsAre(4, 5, 0, 0, 0, 0));
  EXPECT_THAT(Gathered({0, 0, false}, SixNumbers(), Numbers({-1, 1})),
              ElementsAre(0, 0, 2, 3));
}

TEST(VariableGatherTest, ReadsAxesInAnyOrder) {
  const Tensor columns = *SixNumbers().Permuted({1, 0});
  EXPECT_THAT(Gathered({0, 0}, columns, Numbers({1, 0})),
              ElementsAre(1, 3, 5, 0, 2, 4));
}

}  // namespace
}  // namespace dovetail
