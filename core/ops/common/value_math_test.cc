#include "dovetail/core/ops/common/value_math.h"

#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(ValueMathTest, AddsAndSubtractsBounds) {
  EXPECT_EQ(AddIntervals({1, 2}, {10, 20}), (Interval{11, 22}));
  EXPECT_EQ(SubtractIntervals({1, 2}, {10, 20}), (Interval{-19, -8}));
  EXPECT_EQ(AddIntervals({0, kInf}, {-kInf, 0}), (Interval{-kInf, kInf}));
}

TEST(ValueMathTest, MultipliesAllPairsOfBounds) {
  EXPECT_EQ(MultiplyIntervals({-1, 2}, {-3, 4}), (Interval{-6, 8}));
  EXPECT_EQ(MultiplyIntervals({0, 0}, {0, kInf}), (Interval{0, 0}));
  EXPECT_EQ(MultiplyIntervals({0, kInf}, {2, 2}), (Interval{0, kInf}));
}

TEST(ValueMathTest, DividesUnlessByZero) {
  EXPECT_EQ(DivideIntervals({1, 2}, {4, 4}), (Interval{.25, .5}));
  EXPECT_EQ(FloorDivideIntervals({-7, -7}, {2, 2}), (Interval{-4, -4}));
  EXPECT_EQ(TruncateDivideIntervals({-7, -7}, {2, 2}), (Interval{-3, -3}));
  EXPECT_EQ(FloorDivideIntervals({0, kInf}, {2, 2}), (Interval{0, kInf}));
  EXPECT_EQ(DivideIntervals({1, 2}, {0, 4}), (Interval{-kInf, kInf}));
}

TEST(ValueMathTest, RemaindersTakeTheSignTheyShould) {
  EXPECT_EQ(FloorModIntervals({-7, -7}, {3, 3}), (Interval{2, 2}));
  EXPECT_EQ(ModIntervals({-7, -7}, {3, 3}), (Interval{-1, -1}));
  EXPECT_EQ(FloorModIntervals({0, kInf}, {3, 3}), (Interval{0, 3}));
  EXPECT_EQ(FloorModIntervals({1, 2}, {0, 3}), (Interval{-kInf, kInf}));
  EXPECT_EQ(FloorModIntervals({0, 2}, {3, 8}), (Interval{0, 2}));
  EXPECT_EQ(FloorModIntervals({13, 15}, {4, 4}), (Interval{1, 3}));
  EXPECT_EQ(FloorModIntervals({13, 15}, {-4, -4}), (Interval{-3, -1}));
  EXPECT_EQ(ModIntervals({13, 15}, {4, 4}), (Interval{1, 3}));
  EXPECT_EQ(FloorModIntegers({0, kInf}, {2, 4}), (Interval{0, 3}));
  EXPECT_EQ(FloorModIntegers({0, kInf}, {-4, -4}), (Interval{-3, 0}));
  EXPECT_EQ(ModIntegers({-9, 9}, {4, 4}), (Interval{-3, 3}));
}

TEST(ValueMathTest, PowersGrow) {
  EXPECT_EQ(PowerIntervals({-2, -2}, {3, 3}), (Interval{-8, -8}));
  EXPECT_EQ(PowerIntervals({2, 3}, {2, 4}), (Interval{4, 81}));
  EXPECT_EQ(PowerIntervals({0, kInf}, {2, 2}), (Interval{0, kInf}));
  EXPECT_EQ(PowerIntervals({2, 4}, {-1, -1}), (Interval{0.25, 0.5}));
  EXPECT_EQ(PowerIntervals({-1, 3}, {2, 2}), (Interval{-kInf, kInf}));
  EXPECT_EQ(PowerIntervals({1, kInf}, {0, 0}), (Interval{1, 1}));
  EXPECT_EQ(PowerIntegers({2, 2}, {-1, -1}), (Interval{-kInf, kInf}));
  EXPECT_EQ(SquaredDifferenceIntervals({1, 4}, {2, 2}), (Interval{0, 4}));
  EXPECT_EQ(SquaredDifferenceIntervals({1, 4}, {6, 7}), (Interval{4, 36}));
}

TEST(ValueMathTest, ComparesWhatIsDecided) {
  EXPECT_EQ(LessIntervals({1, 2}, {3, 4}), (Interval{1, 1}));
  EXPECT_EQ(LessIntervals({3, 4}, {1, 3}), (Interval{0, 0}));
  EXPECT_EQ(LessIntervals({1, 3}, {2, 4}), (Interval{0, 1}));
  EXPECT_EQ(EqualIntervals({1, 2}, {3, 4}), (Interval{0, 0}));
  EXPECT_EQ(EqualIntervals({2, 2}, {2, 2}), (Interval{1, 1}));
  EXPECT_EQ(NotEqualIntervals({1, 3}, {2, 2}), (Interval{0, 1}));
  EXPECT_EQ(GreaterEqualIntervals({3, 4}, {1, 3}), (Interval{1, 1}));
}

TEST(ValueMathTest, RoundsToTheType) {
  EXPECT_EQ(RoundTo(ElementType::kF32, {0.1, 0.1}),
            (Interval{double{0.1f}, double{0.1f}}));
  EXPECT_EQ(RoundTo(ElementType::kI8, {100, 200}), (Interval{-128, 127}))
      << "elements wrap";
  EXPECT_EQ(RoundTo(ElementType::kI32, {0, kInf}), (Interval{0, kInf}));
  EXPECT_EQ(WholeRange(ElementType::kU8), (Interval{0, 255}));
  EXPECT_EQ(RoundTo(ElementType::kI32, {2147483648.0, 2147483648.0}),
            (Interval{-2147483648.0, 2147483647.0}));
  EXPECT_EQ(RoundTo(ElementType::kF8E4M3, {41, 41}), (Interval{-kInf, kInf}))
      << "few numbers are elements of such types";
}

TEST(ValueMathTest, MapsBroadcastElements) {
  EXPECT_EQ(BroadcastMap(Shape({2}), Shape({2, 2}), AutoBroadcast::kNumpy),
            (std::vector<int64_t>{0, 1, 0, 1}));
  EXPECT_EQ(BroadcastMap(Shape({2}), Shape({2, 2}), AutoBroadcast::kPdpd),
            (std::vector<int64_t>{0, 0, 1, 1}));
  EXPECT_EQ(BroadcastMap(Shape(), Shape({3}), AutoBroadcast::kNumpy),
            (std::vector<int64_t>{0, 0, 0}));
}

}  // namespace
}  // namespace dovetail
