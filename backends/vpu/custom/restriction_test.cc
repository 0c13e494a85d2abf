#include "dovetail/backends/vpu/custom/restriction.h"

#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

TEST(RestrictionTest, NumbersAreCompared) {
  EXPECT_TRUE(MeetsRestriction("3", "3"));
  EXPECT_TRUE(MeetsRestriction("3", "3.0"));
  EXPECT_FALSE(MeetsRestriction("3", "4"));
  EXPECT_TRUE(MeetsRestriction("3", ">=3"));
  EXPECT_FALSE(MeetsRestriction("3", "> 3"));
  EXPECT_TRUE(MeetsRestriction("2.5", "<3"));
  EXPECT_TRUE(MeetsRestriction("2.5", "<=2.5"));
  EXPECT_TRUE(MeetsRestriction("2", "!=3"));
  EXPECT_FALSE(MeetsRestriction("2", "!=2"));
  EXPECT_FALSE(MeetsRestriction("2", "max"));
  EXPECT_FALSE(MeetsRestriction("2", ">="));
}

TEST(RestrictionTest, TextsAreTheSameInAnyCase) {
  EXPECT_TRUE(MeetsRestriction("3,3", "3,3"));
  EXPECT_FALSE(MeetsRestriction("3,3", "3"));
  EXPECT_TRUE(MeetsRestriction("max", "MAX"));
  EXPECT_FALSE(MeetsRestriction("max", "!=min"));
}

}  // namespace
}  // namespace dovetail::vpu
