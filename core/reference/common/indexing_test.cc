#include "dovetail/core/reference/common/indexing.h"

#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(IndexingTest, RowMajorStrides) {
  EXPECT_EQ(RowMajorStrides(Shape({2, 3, 4})), (ElementStrides{12, 4, 1}));
  EXPECT_TRUE(RowMajorStrides(Shape()).empty());
}

TEST(IndexingTest, BroadcastStrides) {
  const Shape to({2, 3, 4});
  EXPECT_EQ(BroadcastStrides(Shape({3, 1}), to), (ElementStrides{0, 1, 0}));
  EXPECT_EQ(BroadcastStrides(Shape({2, 3}), to, 0), (ElementStrides{3, 1, 0}));
  EXPECT_EQ(BroadcastStrides(Shape({3}), to, 1), (ElementStrides{0, 1, 0}));
  EXPECT_EQ(BroadcastStrides(Shape(), to), (ElementStrides{0, 0, 0}));
}

TEST(IndexingTest, OdometerVisitsInOrder) {
  const Shape shape({2, 3});
  Odometer<2> at(shape, {RowMajorStrides(shape), ElementStrides{1, 0}});
  std::vector<int64_t> first, second;
  for (int i = 0; i < 6; ++i, at.Next()) {
    first.push_back(at.offset(0));
    second.push_back(at.offset(1));
  }
  EXPECT_EQ(first, (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(second, (std::vector<int64_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(at.offset(0), 0) << "after the last position comes the first";
}

TEST(IndexingTest, OdometerSeeks) {
  const Shape shape({2, 3, 4});
  Odometer<1> at(shape, {RowMajorStrides(shape)});
  at.Seek(17);
  EXPECT_EQ(at.offset(0), 17);
  EXPECT_EQ(at.position(0), 1);
  EXPECT_EQ(at.position(1), 1);
  EXPECT_EQ(at.position(2), 1);
}

TEST(IndexingTest, OdometerOfAScalar) {
  Odometer<1> at(Shape(), {ElementStrides{}});
  at.Next();
  EXPECT_EQ(at.offset(0), 0);
}

}  // namespace
}  // namespace dovetail
