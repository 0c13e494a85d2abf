#include "dovetail/testing/conformance/operations/inference/is_refined_by.h"

#include <limits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

OutputPort Port(ElementType type, const PartialShape& shape) {
  OutputPort port;
  port.type = type;
  port.shape = shape;
  return port;
}

OutputPort Values(std::vector<ValueRange::Interval> elements) {
  OutputPort port =
      Port(ElementType::kI64, Shape({static_cast<int64_t>(elements.size())}));
  port.value = ValueRange(std::move(elements));
  return port;
}

// That `less` says less than `more`: not the same, and not more.
void ExpectLess(const OutputPort& less, const OutputPort& more) {
  EXPECT_TRUE(IsRefinedBy(less, more).ok()) << IsRefinedBy(less, more);
  EXPECT_TRUE(IsRefinedBy(less, less).ok()) << IsRefinedBy(less, less);
  EXPECT_TRUE(IsRefinedBy(more, more).ok()) << IsRefinedBy(more, more);
  EXPECT_FALSE(IsRefinedBy(more, less).ok());
}

TEST(IsRefinedByTest, TypesShapesAndValues) {
  const ElementType f32 = ElementType::kF32;
  const OutputPort known = Port(f32, Shape({2, 3}));
  ExpectLess(Port(ElementType::kDynamic, Shape({2, 3})), known);
  ExpectLess(Port(f32, {2, Dimension(3, 4)}), known);
  ExpectLess(Port(f32, {Dimension(), 3}), known);
  ExpectLess(Port(f32, PartialShape()), Port(f32, {Dimension(), 3}));
  ExpectLess(Values({{1, 3}, {4, 4}}), Values({{2, 2}, {4, 4}}));
  ExpectLess(Port(ElementType::kI64, Shape({2})), Values({{2, 2}, {4, 4}}));
  EXPECT_TRUE(IsRefinedBy(Values({{kNan, kNan}}), Values({{kNan, kNan}})).ok());
}

TEST(IsRefinedByTest, WhatContradictsIsNotLess) {
  const ElementType f32 = ElementType::kF32;
  EXPECT_FALSE(IsRefinedBy(Port(f32, {2}), Port(ElementType::kF16, {2})).ok());
  EXPECT_FALSE(IsRefinedBy(Port(f32, {2}), Port(f32, {3})).ok());
  EXPECT_FALSE(IsRefinedBy(Port(f32, {2}), Port(f32, {2, 3})).ok());
  EXPECT_EQ(IsRefinedBy(Values({{1, 2}}), Values({{3, 3}})).message(),
            "where less is known: i64[1] {1..2}, where more is: i64[1] "
            "{3..3}");
}

}  // namespace
}  // namespace dovetail
