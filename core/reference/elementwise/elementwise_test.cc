#include <cmath>
#include <limits>
#include <vector>

#include "dovetail/core/ops/elementwise/table.h"
#include "dovetail/core/reference/elementwise/erf_inv.h"
#include "dovetail/core/reference/elementwise/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

const OpTester tester(ElementwiseOps(), ElementwiseKernels());

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// ---- One input ----

TEST(UnaryKernelTest, ComputesFloats) {
  const Tensor x = Floats(Shape({2}), {0.5, -0.25});
  ExpectNear(tester.Outputs("Exp-0", {x}), {1.6487213, 0.7788008});
  ExpectNear(tester.Outputs("Acos-0", {x}), {1.0471976, 1.8234766});
  ExpectNear(tester.Outputs("Atanh-3", {x}), {0.5493061, -0.2554128});
  ExpectNear(tester.Outputs("Erf-0", {x}), {0.5204999, -0.2763264});
  ExpectNear(tester.Outputs("Tan-0", {x}), {0.5463025, -0.2553419});
  ExpectNear(tester.Outputs("Log-0", {Floats(Shape({3}), {1, 0, -1})}),
             {0, -kInf, kNan});
}

TEST(UnaryKernelTest, ComputesHalfPrecisionThroughFloat) {
  for (ElementType type : {ElementType::kF16, ElementType::kBf16}) {
    ExpectNear(tester.Outputs("Sqrt-0", {TensorOf(type, Shape({2}), {4, 2})}),
               {2, 1.4142}, 4e-3);
  }
  EXPECT_EQ(tester.Run("Abs-0", {TensorOf(ElementType::kF16, Shape({700}),
                                          std::vector<double>(700, -2))}),
            tester.Run("Abs-0", {TensorOf(ElementType::kF16, Shape({700}),
                                          std::vector<double>(700, 2))}));
}

TEST(UnaryKernelTest, ComputesDoublesAsDoubles) {
  ExpectNear(
      tester.Outputs("Sin-0", {TensorOf(ElementType::kF64, Shape({1}), {1})}),
      {0.8414709848078965}, 1e-15);
}

TEST(UnaryKernelTest, FunctionsOfIntegersAreIntegers) {
  EXPECT_EQ(tester.Run("Sqrt-0", {Int32s(Shape({4}), {0, 2, 3, 9})}),
            "i32[4] {0, 1, 2, 3}");
  EXPECT_EQ(tester.Run("Exp-0", {Int32s(Shape({3}), {-1, 1, 100})}),
            "i32[3] {0, 2, 2147483647}");
  EXPECT_EQ(tester.Run("Log-0", {Int32s(Shape({2}), {0, 5})}),
            "i32[2] {-2147483648, 1}");
  EXPECT_EQ(tester.Run("Floor-0", {Int64s(Shape({1}), {5})}), "i64[1] {5}");
}

TEST(UnaryKernelTest, TheLowestIntegerWraps) {
  const Tensor lowest = TensorOf(ElementType::kI8, Shape({2}), {-128, 5});
  EXPECT_EQ(tester.Run("Abs-0", {lowest}), "i8[2] {-128, 5}");
  EXPECT_EQ(tester.Run("Negative-0", {lowest}), "i8[2] {-128, -5}");
}

TEST(UnaryKernelTest, RoundsTies) {
  const Tensor x = Floats(Shape({5}), {0.5, 1.5, -0.5, -1.5, 2.4});
  ExpectNear(tester.Outputs("Round-5", {x}), {0, 2, 0, -2, 2}, 0);
  ExpectNear(tester.Outputs("Round-5", {x}, {{"mode", "half_away_from_zero"}}),
             {1, 2, -1, -2, 2}, 0);
}

TEST(UnaryKernelTest, SignOfNothingIsNothing) {
  ExpectNear(
      tester.Outputs("Sign-0", {Floats(Shape({4}), {kNan, -0., 3, -kInf})}),
      {kNan, 0, 1, -1}, 0);
}

TEST(ClampKernelTest, RoundsBoundsInwards) {
  const TextAttributes bounds = {{"min", "-1.5"}, {"max", "2.7"}};
  EXPECT_EQ(tester.Run("Clamp-0", {Int32s(Shape({4}), {-3, -1, 2, 9})}, bounds),
            "i32[4] {-1, -1, 2, 2}");
  EXPECT_EQ(
      tester.Run("Clamp-0", {TensorOf(ElementType::kU8, Shape({2}), {0, 255})},
                 bounds),
      "u8[2] {0, 2}");
  ExpectNear(
      tester.Outputs("Clamp-0", {Floats(Shape({3}), {-3, kNan, 9})}, bounds),
      {-1.5, kNan, 2.7});
}

TEST(PredicateKernelTest, TellsFloatsApart) {
  const Tensor x = Floats(Shape({4}), {kNan, -kInf, kInf, 1});
  EXPECT_EQ(tester.Run("IsNaN-10", {x}),
            "boolean[4] {true, false, false, false}");
  EXPECT_EQ(tester.Run("IsFinite-10", {x}),
            "boolean[4] {false, false, false, true}");
  EXPECT_EQ(tester.Run("IsInf-10", {x}),
            "boolean[4] {false, true, true, false}");
  EXPECT_EQ(tester.Run("IsInf-10", {x}, {{"detect_negative", "false"}}),
            "boolean[4] {false, false, true, false}");
}

TEST(ErfInvTest, InvertsErf) {
  for (double x : {-2.9, -0.8, -1e-9, 0.0, 0.3, 1.5, 4.0}) {
    EXPECT_NEAR(ErfInv(std::erf(x)), x, 1e-6 * (1 + std::fabs(x)));
  }
  EXPECT_EQ(ErfInv(1), kInf);
  EXPECT_EQ(ErfInv(-1), -kInf);
  EXPECT_TRUE(std::isnan(ErfInv(1.1)));
  EXPECT_TRUE(std::isnan(ErfInv(kNan)));
}

// ---- Two inputs ----

TEST(BinaryKernelTest, BroadcastsByNumpy) {
  EXPECT_EQ(tester.Run("Add-1", {Int32s(Shape({2, 1}), {10, 20}),
                                 Int32s(Shape({3}), {1, 2, 3})}),
            "i32[2,3] {11, 12, 13, 21, 22, 23}");
  EXPECT_EQ(tester.Run("Subtract-1",
                       {Int32s(Shape(), {10}), Int32s(Shape({2}), {1, 2})}),
            "i32[2] {9, 8}");
  EXPECT_EQ(tester.Run("Multiply-1", {Int32s(Shape({2, 1, 2}), {1, 2, 3, 4}),
                                      Int32s(Shape({1, 2, 1}), {10, 100})}),
            "i32[2,2,2] {10, 20, 100, 200, 30, 40, 300, 400}");
}

TEST(BinaryKernelTest, BroadcastsByPdpd) {
  EXPECT_EQ(tester.Run("Add-1",
                       {Int32s(Shape({2, 3}), {1, 2, 3, 4, 5, 6}),
                        Int32s(Shape({2}), {10, 20})},
                       {{"auto_broadcast", "pdpd"}}),
            "i32[2,3] {11, 12, 13, 24, 25, 26}");
}

TEST(BinaryKernelTest, TakesEmptyTensors) {
  EXPECT_EQ(tester.Run("Add-1", {Floats(Shape({0, 3}), {}),
                                 Floats(Shape({3}), {1, 2, 3})}),
            "f32[0,3] {}");
  EXPECT_EQ(
      tester.Run("Divide-1", {Int32s(Shape({0}), {}), Int32s(Shape({1}), {0})}),
      "i32[0] {}");
}

TEST(BinaryKernelTest, ComputesHalfPrecisionInBlocks) {
  const int64_t count = 1500;
  const Tensor a = TensorOf(ElementType::kF16, Shape({count}),
                            std::vector<double>(count, 1.5));
  const auto sum =
      tester.Outputs("Add-1", {a, TensorOf(ElementType::kF16, Shape(), {2})});
  ExpectNear(sum, std::vector<double>(count, 3.5), 0);
  const auto less =
      tester.Outputs("Less-1", {a, TensorOf(ElementType::kF16, Shape(), {2})});
  ExpectNear(less, std::vector<double>(count, 1), 0);
}

TEST(BinaryKernelTest, IntegersWrap) {
  EXPECT_EQ(tester.Run("Multiply-1",
                       {TensorOf(ElementType::kU16, Shape({1}), {65535}),
                        TensorOf(ElementType::kU16, Shape({1}), {65535})}),
            "u16[1] {1}");
  EXPECT_EQ(tester.Run("Add-1", {Int32s(Shape({1}), {2147483647}),
                                 Int32s(Shape({1}), {1})}),
            "i32[1] {-2147483648}");
  EXPECT_EQ(tester.Run("SquaredDifference-0",
                       {TensorOf(ElementType::kU8, Shape({1}), {1}),
                        TensorOf(ElementType::kU8, Shape({1}), {3})}),
            "u8[1] {4}");
  EXPECT_EQ(tester.Run("SquaredDifference-0",
                       {TensorOf(ElementType::kU8, Shape({1}), {200}),
                        TensorOf(ElementType::kU8, Shape({1}), {0})}),
            "u8[1] {64}");
}

TEST(DivideKernelTest, RoundsDownOrTowardsZero) {
  const Tensor a = Int32s(Shape({4}), {7, -7, 7, -7});
  const Tensor b = Int32s(Shape({4}), {2, 2, -2, -2});
  EXPECT_EQ(tester.Run("Divide-1", {a, b}), "i32[4] {3, -4, -4, 3}");
  EXPECT_EQ(tester.Run("Divide-1", {a, b}, {{"m_pythondiv", "false"}}),
            "i32[4] {3, -3, -3, 3}");
  EXPECT_EQ(tester.Run("Mod-1", {a, b}), "i32[4] {1, -1, 1, -1}");
  EXPECT_EQ(tester.Run("FloorMod-1", {a, b}), "i32[4] {1, 1, -1, -1}");
}

TEST(DivideKernelTest, TheLowestIntegerByMinusOneWraps) {
  const Tensor a = Int32s(Shape({1}), {-2147483648.0});
  const Tensor b = Int32s(Shape({1}), {-1});
  EXPECT_EQ(tester.Run("Divide-1", {a, b}), "i32[1] {-2147483648}");
  EXPECT_EQ(tester.Run("Mod-1", {a, b}), "i32[1] {0}");
  EXPECT_EQ(tester.Run("FloorMod-1", {a, b}), "i32[1] {0}");
}

TEST(DivideKernelTest, IntegersAreNotDividedByZero) {
  const Tensor a = Int64s(Shape({2}), {1, 2});
  const Tensor b = Int64s(Shape({2}), {1, 0});
  for (const char* op : {"Divide-1", "Mod-1", "FloorMod-1"}) {
    EXPECT_THAT(tester.Run(op, {a, b}),
                HasSubstr("element 1 of input 1 is 0: cannot divide i64"));
  }
}

TEST(DivideKernelTest, FloatsAre) {
  const Tensor a = Floats(Shape({3}), {1, -1, 0});
  const Tensor zero = Floats(Shape(), {0});
  ExpectNear(tester.Outputs("Divide-1", {a, zero}), {kInf, -kInf, kNan});
  ExpectNear(tester.Outputs("Mod-1", {Floats(Shape({2}), {7.5, -7.5}),
                                      Floats(Shape(), {2})}),
             {1.5, -1.5});
  ExpectNear(tester.Outputs("FloorMod-1", {Floats(Shape({2}), {7.5, -7.5}),
                                           Floats(Shape(), {2})}),
             {1.5, 0.5});
}

TEST(PowerKernelTest, RaisesIntegers) {
  EXPECT_EQ(tester.Run("Power-1", {Int32s(Shape({6}), {2, -2, 3, 0, -1, 10}),
                                   Int32s(Shape({6}), {3, 3, -1, 0, -3, 2})}),
            "i32[6] {8, -8, 0, 1, -1, 100}");
  EXPECT_EQ(
      tester.Run("Power-1", {Int32s(Shape(), {0}), Int32s(Shape(), {-1})}),
      "i32[] {2147483647}");
}

TEST(MaximumKernelTest, KeepsTheFirstWhereNothingCompares) {
  const Tensor a = Floats(Shape({3}), {kNan, 1, 2});
  const Tensor b = Floats(Shape({3}), {1, kNan, 3});
  ExpectNear(tester.Outputs("Maximum-1", {a, b}), {kNan, 1, 3});
  ExpectNear(tester.Outputs("Minimum-1", {a, b}), {kNan, 1, 2});
}

TEST(ComparisonKernelTest, Compares) {
  const Tensor a = Int32s(Shape({3}), {1, 2, 3});
  const Tensor b = Int32s(Shape({3}), {2, 2, 2});
  EXPECT_EQ(tester.Run("Equal-1", {a, b}), "boolean[3] {false, true, false}");
  EXPECT_EQ(tester.Run("NotEqual-1", {a, b}), "boolean[3] {true, false, true}");
  EXPECT_EQ(tester.Run("Less-1", {a, b}), "boolean[3] {true, false, false}");
  EXPECT_EQ(tester.Run("LessEqual-1", {a, b}),
            "boolean[3] {true, true, false}");
  EXPECT_EQ(tester.Run("Greater-1", {a, b}), "boolean[3] {false, false, true}");
  EXPECT_EQ(tester.Run("GreaterEqual-1", {a, b}),
            "boolean[3] {false, true, true}");
  ExpectNear(tester.Outputs("GreaterEqual-1", {Floats(Shape({1}), {kNan}),
                                               Floats(Shape({1}), {1})}),
             {0});
}

TEST(LogicalKernelTest, Combines) {
  const Tensor a = Booleans(Shape({4}), {0, 0, 1, 1});
  const Tensor b = Booleans(Shape({4}), {0, 1, 0, 1});
  EXPECT_EQ(tester.Run("LogicalAnd-1", {a, b}),
            "boolean[4] {false, false, false, true}");
  EXPECT_EQ(tester.Run("LogicalOr-1", {a, b}),
            "boolean[4] {false, true, true, true}");
  EXPECT_EQ(tester.Run("LogicalXor-1", {a, b}),
            "boolean[4] {false, true, true, false}");
  EXPECT_EQ(tester.Run("Xor-0", {a, b}),
            "boolean[4] {false, true, true, false}");
  EXPECT_EQ(tester.Run("LogicalNot-1", {a}),
            "boolean[4] {true, true, false, false}");
  EXPECT_EQ(tester.Run("BitwiseXor-13", {a, b}),
            "boolean[4] {false, true, true, false}");
  EXPECT_EQ(tester.Run("BitwiseNot-13", {a}),
            "boolean[4] {true, true, false, false}");
}

TEST(BitwiseKernelTest, WorksOnBits) {
  const Tensor a = TensorOf(ElementType::kI8, Shape({2}), {-1, 6});
  const Tensor b = TensorOf(ElementType::kI8, Shape({2}), {5, 3});
  EXPECT_EQ(tester.Run("BitwiseAnd-13", {a, b}), "i8[2] {5, 2}");
  EXPECT_EQ(tester.Run("BitwiseOr-13", {a, b}), "i8[2] {-1, 7}");
  EXPECT_EQ(tester.Run("BitwiseXor-13", {a, b}), "i8[2] {-6, 5}");
  EXPECT_EQ(tester.Run("BitwiseNot-13", {a}), "i8[2] {0, -7}");
}

TEST(BitwiseKernelTest, ShiftsByAnyDistance) {
  const Tensor x = Int32s(Shape({4}), {1, 1, -8, 255});
  const Tensor by = Int32s(Shape({4}), {31, 33, 1, -1});
  EXPECT_EQ(tester.Run("BitwiseLeftShift-15", {x, by}),
            "i32[4] {-2147483648, 2, -16, -2147483648}");
  EXPECT_EQ(tester.Run("BitwiseRightShift-15", {x, by}),
            "i32[4] {0, 0, -4, 0}");
}

// ---- Others ----

TEST(SelectKernelTest, Chooses) {
  EXPECT_EQ(tester.Run("Select-1",
                       {Booleans(Shape({2, 1}), {1, 0}),
                        Int32s(Shape({2}), {1, 2}), Int32s(Shape(), {9})}),
            "i32[2,2] {1, 2, 9, 9}");
}

TEST(ConvertKernelTest, Converts) {
  EXPECT_EQ(tester.Run("Convert-0", {Floats(Shape({3}), {-1.9, 1.9, 0})},
                       {{"destination_type", "i32"}}),
            "i32[3] {-1, 1, 0}");
  EXPECT_EQ(tester.Run("Convert-0", {Floats(Shape({2}), {1.5, -2})},
                       {{"destination_type", "f16"}}),
            "f16[2] {1.5, -2}");
  EXPECT_EQ(tester.Run("ConvertLike-1",
                       {Int32s(Shape({2}), {3, 0}), Booleans(Shape({1}), {1})}),
            "boolean[2] {true, false}");
  EXPECT_EQ(tester.Run("ConvertPromoteTypes-14",
                       {Int32s(Shape({1}), {3}), Floats(Shape({1}), {.5})},
                       {{"promote_unsafe", "true"}}),
            "f32[1] {3}; f32[1] {0.5}");
}

TEST(ConvertKernelTest, PassesOnWhatHasTheTypeAlready) {
  const Tensor x = Floats(Shape({2}), {1, 2});
  const auto outputs =
      tester.Outputs("Convert-0", {x}, {{"destination_type", "f32"}});
  ASSERT_TRUE(outputs.ok()) << outputs.status();
  EXPECT_EQ((*outputs)[0].raw_data(), x.raw_data());
}

TEST(CompressedTypesTest, AreComputedInWiderOnes) {
  const auto sum = [](ElementType type, std::vector<double> a,
                      std::vector<double> b) {
    const Shape shape({static_cast<int64_t>(a.size())});
    return tester.Run("Add-1",
                      {TensorOf(type, shape, a), TensorOf(type, shape, b)});
  };
  EXPECT_EQ(sum(ElementType::kI4, {1, 7, -8}, {2, 1, -1}), "i4[3] {3, -8, 7}");
  EXPECT_EQ(sum(ElementType::kU4, {1, 15}, {2, 1}), "u4[2] {3, 0}");
  EXPECT_EQ(sum(ElementType::kU2, {1, 3}, {2, 1}), "u2[2] {3, 0}");
  EXPECT_EQ(sum(ElementType::kF8E4M3, {1.5, 17}, {2, .25}),
            "f8e4m3[2] {3.5, 16}");
  EXPECT_EQ(sum(ElementType::kF4E2M1, {1.5, 6}, {1.5, 1}), "f4e2m1[2] {3, 6}");
}

TEST(LogicalNotKernelTest, TakesNumbers) {
  EXPECT_EQ(tester.Run("LogicalNot-1", {Int32s(Shape({3}), {0, 256, -1})}),
            "boolean[3] {true, false, false}");
  EXPECT_EQ(tester.Run("LogicalNot-1", {Floats(Shape({2}), {0, .5})}),
            "boolean[2] {true, false}");
}

}  // namespace
}  // namespace dovetail
