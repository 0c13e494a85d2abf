#include "dovetail/core/ops/common/broadcast.h"

#include <string>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::string Broadcast(AutoBroadcast mode, const PartialShape& a,
                      const PartialShape& b) {
  const auto shape = BroadcastBy(mode, a, b);
  return shape.has_value() ? shape->ToString() : "no";
}

TEST(BroadcastTest, NumpyAlignsAtTheEnd) {
  EXPECT_EQ(Broadcast(AutoBroadcast::kNumpy, {2, 3, 1}, {1, 4}), "[2,3,4]");
  EXPECT_EQ(Broadcast(AutoBroadcast::kNumpy, {2, 3}, {2}), "no");
  EXPECT_EQ(Broadcast(AutoBroadcast::kNumpy, {-1, 3}, {1}), "[?,3]");
  EXPECT_EQ(Broadcast(AutoBroadcast::kNumpy, {-1}, {4}), "[4]");
}

TEST(BroadcastTest, NoneWantsEqualShapes) {
  EXPECT_EQ(Broadcast(AutoBroadcast::kNone, {2, -1}, {-1, 3}), "[2,3]");
  EXPECT_EQ(Broadcast(AutoBroadcast::kNone, {2, 1}, {2, 3}), "no");
}

TEST(BroadcastTest, PdpdAlignsAtTheFirstAxis) {
  EXPECT_EQ(Broadcast(AutoBroadcast::kPdpd, {2, 3, 4}, {2, 1}), "[2,3,4]");
  EXPECT_EQ(Broadcast(AutoBroadcast::kPdpd, {2, 3, 4}, {2, 3}), "[2,3,4]");
  EXPECT_EQ(Broadcast(AutoBroadcast::kPdpd, {2, 3, 4}, {4}), "no");
  EXPECT_EQ(Broadcast(AutoBroadcast::kPdpd, {1, 3}, {2, 3}), "no")
      << "only b broadcasts";
  EXPECT_EQ(Broadcast(AutoBroadcast::kPdpd, {2}, {2, 3}), "no");
  EXPECT_EQ(Broadcast(AutoBroadcast::kPdpd, {-1, 3}, {2}), "[2,3]");
}

}  // namespace
}  // namespace dovetail
