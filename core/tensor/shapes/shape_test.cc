#include "dovetail/core/tensor/shapes/shape.h"

#include <limits>
#include <sstream>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

TEST(Shape, CountsElements) {
  EXPECT_EQ(*Shape().ElementCount(), 1);
  EXPECT_EQ(*Shape({2, 3, 4}).ElementCount(), 24);
  EXPECT_EQ(*Shape({2, 0, 4}).ElementCount(), 0);
  EXPECT_EQ(*Shape({kHuge}).ElementCount(), kHuge);
  EXPECT_EQ(Shape({2, 3, 4}).Count(), 24);
  EXPECT_EQ(Shape({2, 3, 4}).Count(1, 3), 12);
  EXPECT_EQ(Shape({2, 3, 4}).Count(1, 1), 1);
}

TEST(Shape, RefusesNegativeAndHugeExtents) {
  for (const Shape& shape :
       {Shape({-1}), Shape({0, -1}), Shape({2, kHuge}),
        Shape({int64_t{1} << 32, int64_t{1} << 32}),
        Shape({std::numeric_limits<int64_t>::min(), 2})}) {
    const auto count = shape.ElementCount();
    ASSERT_FALSE(count.ok()) << shape;
    EXPECT_EQ(count.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(count.status().ToString().find(shape.ToString()),
              std::string::npos);
  }
}

TEST(Shape, NoElementsAreNotTooManyWhateverTheOrder) {
  EXPECT_EQ(*Shape({kHuge, kHuge, 0}).ElementCount(), 0);
  EXPECT_EQ(*Shape({0, kHuge, kHuge}).ElementCount(), 0);
  EXPECT_EQ(Shape({kHuge, kHuge, 0}).Count(), 0);
  EXPECT_EQ(Shape({kHuge, kHuge, 0}).Count(0, 2), kHuge);  // saturates
}

TEST(Shape, IsAListOfExtents) {
  Shape shape = Shape::Filled(2, 5);
  EXPECT_EQ(shape, Shape({5, 5}));
  shape.push_back(7);
  shape.insert(1, 6);
  EXPECT_EQ(shape, Shape({5, 6, 5, 7}));
  shape.erase(0);
  shape[0] = 1;
  EXPECT_EQ(shape, Shape({1, 5, 7}));
  EXPECT_NE(shape, Shape({1, 5}));
  EXPECT_EQ(shape.back(), 7);
  EXPECT_EQ(shape.ToVector(), (std::vector<int64_t>{1, 5, 7}));
  EXPECT_EQ(Shape(shape.dims()), shape);
  EXPECT_EQ(Shape::Filled(0, 3), Shape());
}

TEST(Shape, Prints) {
  EXPECT_EQ(Shape().ToString(), "[]");
  std::ostringstream out;
  out << Shape({1, 3, 224, 224});
  EXPECT_EQ(out.str(), "[1,3,224,224]");
}

TEST(NormalizeAxis, CountsFromEitherEnd) {
  EXPECT_EQ(*NormalizeAxis(0, 3), 0);
  EXPECT_EQ(*NormalizeAxis(2, 3), 2);
  EXPECT_EQ(*NormalizeAxis(-1, 3), 2);
  EXPECT_EQ(*NormalizeAxis(-3, 3), 0);
}

TEST(NormalizeAxis, NamesTheAxisThatIsNotThere) {
  for (int64_t axis : {int64_t{3}, int64_t{-4}, kHuge, -kHuge - 1}) {
    const auto normal = NormalizeAxis(axis, 3);
    ASSERT_FALSE(normal.ok());
    EXPECT_EQ(normal.status().code(), absl::StatusCode::kOutOfRange);
    EXPECT_NE(normal.status().ToString().find(std::to_string(axis)),
              std::string::npos);
  }
}

TEST(NormalizeAxis, AScalarHasAnAxisOnDemand) {
  EXPECT_FALSE(NormalizeAxis(0, 0).ok());
  EXPECT_EQ(*NormalizeAxis(0, 0, /*scalar_as_vector=*/true), 0);
  EXPECT_EQ(*NormalizeAxis(-1, 0, /*scalar_as_vector=*/true), 0);
  EXPECT_FALSE(NormalizeAxis(1, 0, /*scalar_as_vector=*/true).ok());
}

}  // namespace
}  // namespace dovetail
