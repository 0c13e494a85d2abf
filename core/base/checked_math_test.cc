#include "dovetail/core/base/checked_math.h"

#include <limits>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(CheckedMath, Adds) {
  EXPECT_EQ(CheckedAdd(2, 3), 5);
  EXPECT_EQ(CheckedAdd(kMax, -1), kMax - 1);
  EXPECT_EQ(CheckedAdd(kMax, 0), kMax);
  EXPECT_EQ(CheckedAdd(kMax, 1), std::nullopt);
  EXPECT_EQ(CheckedAdd(kMin, -1), std::nullopt);
}

TEST(CheckedMath, Multiplies) {
  EXPECT_EQ(CheckedMultiply(-2, 3), -6);
  EXPECT_EQ(CheckedMultiply(kMax, 0), 0);
  EXPECT_EQ(CheckedMultiply(kMax, 1), kMax);
  EXPECT_EQ(CheckedMultiply(kMax, 2), std::nullopt);
  EXPECT_EQ(CheckedMultiply(kMin, -1), std::nullopt);
  EXPECT_EQ(CheckedMultiply(int64_t{1} << 32, int64_t{1} << 31), std::nullopt);
}

TEST(CheckedMath, DividesUpwards) {
  EXPECT_EQ(CeilDivide(0, 3), 0);
  EXPECT_EQ(CeilDivide(6, 3), 2);
  EXPECT_EQ(CeilDivide(7, 3), 3);
  EXPECT_EQ(CeilDivide(kMax, kMax), 1);
  EXPECT_EQ(CeilDivide(kMax, 1), kMax);
}

}  // namespace
}  // namespace dovetail
