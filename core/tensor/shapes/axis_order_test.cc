#include "dovetail/core/tensor/shapes/axis_order.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;

TEST(InverseOrderTest, TakesAxesBack) {
  EXPECT_THAT(InverseOrder(std::vector<int64_t>{2, 0, 3, 1}),
              ElementsAre(1, 3, 0, 2));
  EXPECT_THAT(InverseOrder(std::vector<int>{0, 2, 1}), ElementsAre(0, 2, 1));
  EXPECT_TRUE(InverseOrder(std::vector<int>()).empty());
}

}  // namespace
}  // namespace dovetail
