#include "gtest/gtest.h"

namespace {

TEST(MainTest, ShufflesTests) { EXPECT_TRUE(GTEST_FLAG_GET(shuffle)); }

TEST(MainTest, CountsTests) {
  EXPECT_EQ(testing::UnitTest::GetInstance()->total_test_count(), 2);
}

}  // namespace
