#include "dovetail/core/tensor/shapes/partial_shape.h"

#include <sstream>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr int64_t kInf = Dimension::kInfinity;
const Dimension kAny;  // NOLINT: trivially destructible

PartialShape Parsed(absl::string_view text) {
  const auto shape = PartialShape::Parse(text);
  EXPECT_TRUE(shape.ok()) << shape.status();
  return shape.value_or(PartialShape());
}

TEST(Dimension, IsAnInterval) {
  EXPECT_TRUE(Dimension(3).is_static());
  EXPECT_EQ(Dimension(3).value(), 3);
  EXPECT_TRUE(kAny.is_dynamic());
  EXPECT_EQ(Dimension(-1), kAny);
  EXPECT_EQ(Dimension::Unknown(), kAny);
  EXPECT_EQ(kAny.min(), 0);
  EXPECT_EQ(kAny.max(), kInf);
  EXPECT_TRUE(Dimension(2, 4).Contains(4));
  EXPECT_FALSE(Dimension(2, 4).Contains(5));
  EXPECT_TRUE(Dimension(2, 4).Compatible(Dimension(4, 9)));
  EXPECT_FALSE(Dimension(2, 4).Compatible(Dimension(5, 9)));
}

TEST(Dimension, Prints) {
  EXPECT_EQ(Dimension(3).ToString(), "3");
  EXPECT_EQ(kAny.ToString(), "?");
  EXPECT_EQ(Dimension(1, 8).ToString(), "1..8");
  EXPECT_EQ(Dimension(4, kInf).ToString(), "4..");
  EXPECT_EQ(Dimension(0, 8).ToString(), "0..8");
}

TEST(Dimension, Adds) {
  EXPECT_EQ(Dimension(2) + Dimension(3), Dimension(5));
  EXPECT_EQ(Dimension(2, 4) + Dimension(3), Dimension(5, 7));
  EXPECT_EQ(kAny + Dimension(3), Dimension(3, kInf));
  EXPECT_EQ(kAny + kAny, kAny);
}

TEST(Dimension, SubtractsDownToZero) {
  EXPECT_EQ(Dimension(5) - Dimension(3), Dimension(2));
  EXPECT_EQ(Dimension(3) - Dimension(5), Dimension(0));
  EXPECT_EQ(Dimension(5, 9) - Dimension(2, 6), Dimension(0, 7));
  EXPECT_EQ(kAny - Dimension(3), kAny);
  EXPECT_EQ(Dimension(7) - kAny, Dimension(0, 7));
  EXPECT_EQ(Dimension(7, kInf) - Dimension(2), Dimension(5, kInf));
}

TEST(Dimension, Multiplies) {
  EXPECT_EQ(Dimension(2) * Dimension(3), Dimension(6));
  EXPECT_EQ(Dimension(1, 4) * Dimension(2, 3), Dimension(2, 12));
  EXPECT_EQ(kAny * Dimension(0), Dimension(0));
  EXPECT_EQ(kAny * Dimension(5), kAny);
  EXPECT_EQ(Dimension(2, kInf) * Dimension(5), Dimension(10, kInf));
}

TEST(Dimension, OverflowIsNoStaticDimension) {
  const Dimension huge(kInf - 1);
  for (const Dimension& dim : {huge + huge, huge * huge, huge * 2, huge + 1}) {
    EXPECT_TRUE(dim.is_dynamic());
    EXPECT_EQ(dim.max(), kInf);
  }
}

TEST(Dimension, Divides) {
  EXPECT_EQ(FloorDivide(Dimension(7), 2), Dimension(3));
  EXPECT_EQ(CeilDivide(Dimension(7), 2), Dimension(4));
  EXPECT_EQ(FloorDivide(Dimension(3, 9), 2), Dimension(1, 4));
  EXPECT_EQ(CeilDivide(Dimension(3, 9), 2), Dimension(2, 5));
  EXPECT_EQ(FloorDivide(Dimension(3, kInf), 2), Dimension(1, kInf));
  EXPECT_EQ(CeilDivide(kAny, 2), kAny);
}

TEST(Dimension, IntersectsAndUnites) {
  EXPECT_EQ(Intersect(Dimension(1, 5), Dimension(3, 9)), Dimension(3, 5));
  EXPECT_EQ(Intersect(kAny, Dimension(3)), Dimension(3));
  EXPECT_EQ(Intersect(Dimension(1, 2), Dimension(3)), std::nullopt);
  EXPECT_EQ(Union(Dimension(1, 2), Dimension(5)), Dimension(1, 5));
  EXPECT_EQ(Union(kAny, Dimension(5)), kAny);
}

TEST(PartialShape, KnowsWhatItKnows) {
  const PartialShape dynamic;
  EXPECT_FALSE(dynamic.rank_known());
  EXPECT_TRUE(dynamic.is_dynamic());
  EXPECT_EQ(dynamic, PartialShape::DynamicRank());
  const PartialShape scalar = PartialShape::OfRank(0);
  EXPECT_TRUE(scalar.is_static());
  EXPECT_NE(scalar, dynamic);
  EXPECT_EQ(PartialShape::OfRank(2), (PartialShape{-1, -1}));
  EXPECT_TRUE((PartialShape{1, 2}).is_static());
  EXPECT_TRUE((PartialShape{1, -1}).is_dynamic());
  EXPECT_EQ(PartialShape(Shape({1, 2})), (PartialShape{1, 2}));
}

TEST(PartialShape, ADynamicRankStaysDynamic) {
  PartialShape dynamic, scalar = PartialShape::OfRank(0);
  dynamic.push_back(1);
  scalar.push_back(1);
  EXPECT_EQ(dynamic, PartialShape::DynamicRank());
  EXPECT_EQ(scalar, PartialShape{1});
}

TEST(PartialShape, BecomesAShapeWhenStatic) {
  EXPECT_EQ(*(PartialShape{2, 3}).ToShape(), Shape({2, 3}));
  EXPECT_EQ(*PartialShape::OfRank(0).ToShape(), Shape());
  const auto shape = (PartialShape{2, -1}).ToShape();
  EXPECT_EQ(shape.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(shape.status().ToString().find("[2,?]"), std::string::npos);
  EXPECT_FALSE(PartialShape().ToShape().ok());
}

TEST(PartialShape, Bounds) {
  const PartialShape shape{2, Dimension(1, 8), -1};
  EXPECT_EQ(shape.MinDims(), (std::vector<int64_t>{2, 1, 0}));
  EXPECT_EQ((PartialShape{2, Dimension(1, 8)}).ElementCount(),
            Dimension(2, 16));
  EXPECT_EQ(PartialShape().ElementCount(), kAny);
  EXPECT_EQ(PartialShape::OfRank(0).ElementCount(), Dimension(1));
  EXPECT_EQ((PartialShape{-1, 0}).ElementCount(), Dimension(0));
}

TEST(PartialShape, ContainsAndIsCompatible) {
  const PartialShape shape{2, Dimension(1, 8)};
  EXPECT_TRUE(shape.Contains(Shape({2, 8})));
  EXPECT_FALSE(shape.Contains(Shape({2, 9})));
  EXPECT_FALSE(shape.Contains(Shape({2})));
  EXPECT_TRUE(PartialShape().Contains(Shape({2, 9})));
  EXPECT_TRUE(shape.Compatible(PartialShape{-1, -1}));
  EXPECT_TRUE(shape.Compatible(PartialShape()));
  EXPECT_FALSE(shape.Compatible(PartialShape{-1, 9}));
  EXPECT_FALSE(shape.Compatible(PartialShape{-1}));
}

TEST(PartialShape, PrintsAndParsesBack) {
  for (const char* text : {"[]", "[...]", "[?]", "[1,3,?,1..8]", "[4..,0..8]",
                           "[0]", "[9223372036854775806]"}) {
    EXPECT_EQ(Parsed(text).ToString(), text);
    std::ostringstream out;
    out << Parsed(text);
    EXPECT_EQ(out.str(), text);
  }
}

TEST(PartialShape, ParsesOtherSpellings) {
  EXPECT_EQ(Parsed(""), PartialShape::OfRank(0));
  EXPECT_EQ(Parsed(" [ ] "), PartialShape::OfRank(0));
  EXPECT_EQ(Parsed("..."), PartialShape());
  EXPECT_EQ(Parsed("1,3,224"), (PartialShape{1, 3, 224}));
  EXPECT_EQ(Parsed(" 1 , -1 ,? "), (PartialShape{1, -1, -1}));
  EXPECT_EQ(Parsed("..8, 2 .. 5"),
            (PartialShape{Dimension(0, 8), Dimension(2, 5)}));
  EXPECT_EQ(Parsed("0.."), PartialShape{kAny});
}

TEST(PartialShape, ShowsWhatIsWrongInAText) {
  for (const char* text :
       {"[1", "1]", "[", "]", "1,", ",1", "1,,2", "-2", "a", "1.5", "..",
        "8..2", "1...3", "-1..3", "3..-1", "+1", "1 2", "?..3", "[[1]]",
        "1,...", "9223372036854775807", "99999999999999999999",
        "1..99999999999999999999", "0x10"}) {
    const auto shape = PartialShape::Parse(text);
    ASSERT_FALSE(shape.ok()) << text << " gave " << *shape;
    EXPECT_EQ(shape.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(shape.status().ToString().find(text), std::string::npos);
  }
}

TEST(PartialShape, Intersects) {
  EXPECT_EQ(Intersect(Parsed("[1..8,?]"), Parsed("[4..,3]")),
            Parsed("[4..8,3]"));
  EXPECT_EQ(Intersect(Parsed("..."), Parsed("[3]")), Parsed("[3]"));
  EXPECT_EQ(Intersect(Parsed("[3]"), Parsed("...")), Parsed("[3]"));
  EXPECT_EQ(Intersect(Parsed("[3]"), Parsed("[4]")), std::nullopt);
  EXPECT_EQ(Intersect(Parsed("[3]"), Parsed("[3,1]")), std::nullopt);
}

TEST(PartialShape, Unites) {
  EXPECT_EQ(Union(Parsed("[1,3]"), Parsed("[5,3]")), Parsed("[1..5,3]"));
  EXPECT_EQ(Union(Parsed("[1]"), Parsed("[1,1]")), Parsed("..."));
  EXPECT_EQ(Union(Parsed("..."), Parsed("[1]")), Parsed("..."));
}

TEST(BroadcastNumpy, BroadcastsOnes) {
  struct Row {
    const char *a, *b, *result;  // null for shapes that do not fit
  };
  const Row rows[] = {
      {"[2,3]", "[2,3]", "[2,3]"},     {"[2,1]", "[1,3]", "[2,3]"},
      {"[4,2,3]", "[3]", "[4,2,3]"},   {"[]", "[5]", "[5]"},
      {"[2]", "[3]", nullptr},         {"[0]", "[1]", "[0]"},
      {"[0]", "[2]", nullptr},         {"...", "[2]", "[...]"},
      {"[?]", "[3]", "[3]"},           {"[?]", "[1]", "[?]"},
      {"[?]", "[?]", "[?]"},           {"[1..4]", "[2..8]", "[2..8]"},
      {"[2..4]", "[3..8]", "[3..4]"},  {"[2..4]", "[5..8]", nullptr},
      {"[1..4]", "[1..8]", "[1..8]"},  {"[0..4]", "[9]", "[9]"},
      {"[1]", "[2..8]", "[2..8]"},
  };
  for (const Row& row : rows) {
    const PartialShape a = Parsed(row.a), b = Parsed(row.b);
    for (const auto& result : {BroadcastNumpy(a, b), BroadcastNumpy(b, a)}) {
      ASSERT_EQ(result.has_value(), row.result != nullptr) << a << b;
      EXPECT_EQ(result ? result->ToString() : "", row.result ? row.result : "");
    }
  }
}

// Every pair of small intervals against every pair of extents in them: the
// answer holds each possible extent, and is none only when there is none.
TEST(BroadcastNumpy, HoldsEveryPossibleExtent) {
  std::vector<Dimension> dims;
  for (int low = 0; low < 4; ++low) {
    for (int high = low; high < 4; ++high) dims.emplace_back(low, high);
  }
  for (const Dimension& a : dims) {
    for (const Dimension& b : dims) {
      const auto result = BroadcastNumpy(PartialShape{a}, PartialShape{b});
      bool possible = false;
      for (int64_t x = a.min(); x <= a.max(); ++x) {
        for (int64_t y = b.min(); y <= b.max(); ++y) {
          if (x != y && x != 1 && y != 1) continue;
          possible = true;
          ASSERT_TRUE(result.has_value());
          EXPECT_TRUE((*result)[0].Contains(x == 1 ? y : x));
        }
      }
      EXPECT_EQ(result.has_value(), possible);
    }
  }
}

}  // namespace
}  // namespace dovetail
