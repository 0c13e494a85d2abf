#include <string>

#include "dovetail/core/ops/elementwise/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

const InferTester tester(ElementwiseOps());

constexpr ElementType kDynamic = ElementType::kDynamic;

// ---- One input ----

TEST(UnaryTest, KeepsTypeAndShape) {
  EXPECT_EQ(tester.Shapes("Exp-0", {F32({1, -1, 3})}), "f32[1,?,3]");
  EXPECT_EQ(tester.Shapes("Abs-0", {I32(PartialShape())}), "i32[...]");
  EXPECT_EQ(tester.Shapes("Sin-0", {Typed(kDynamic, {2})}), "dynamic[2]");
}

TEST(UnaryTest, RefusesOtherTypes) {
  EXPECT_THAT(tester.Error("Exp-0", {Boolean({1})}),
              HasSubstr("input 0 has type boolean, want a numeric type"));
  EXPECT_THAT(tester.Error("ErfInv-17", {I32({1})}),
              HasSubstr("want a floating-point type"));
  EXPECT_THAT(tester.Error("IsNaN-10", {I32({1})}),
              HasSubstr("want a floating-point type"));
  EXPECT_THAT(tester.Error("LogicalNot-1", {Typed(ElementType::kString, {1})}),
              HasSubstr("want a numeric type or boolean"));
  EXPECT_THAT(tester.Error("LogicalAnd-1", {I32({1}), I32({1})}),
              HasSubstr("want boolean"));
  EXPECT_THAT(tester.Error("BitwiseNot-13", {F32({1})}),
              HasSubstr("want an integer type"));
}

TEST(UnaryTest, TestsGiveBooleans) {
  EXPECT_EQ(tester.Shapes("IsInf-10", {F32({2, -1})}), "boolean[2,?]");
  EXPECT_EQ(tester.Shapes("IsFinite-10", {F32(Shape())}), "boolean[]");
}

TEST(UnaryTest, KnowsValues) {
  const InputSpec x = ConstantOf(ElementType::kF32, Shape({3}), {-1.5, 2.5, 4});
  EXPECT_EQ(tester.Values("Floor-0", {x}), "-2, 2, 4");
  EXPECT_EQ(tester.Values("Ceiling-0", {x}), "-1, 3, 4");
  EXPECT_EQ(tester.Values("Round-5", {x}), "-2, 2, 4");
  EXPECT_EQ(tester.Values("Round-5", {x}, {{"mode", "half_away_from_zero"}}),
            "-2, 3, 4");
  EXPECT_EQ(tester.Values("Abs-0", {x}), "1.5, 2.5, 4");
  EXPECT_EQ(tester.Values("Negative-0", {x}), "1.5, -2.5, -4");
  EXPECT_EQ(tester.Values("Sign-0", {x}), "-1, 1, 1");
  EXPECT_EQ(tester.Values("Clamp-0", {x}, {{"min", "0"}, {"max", "3"}}),
            "0, 2.5, 3");
  EXPECT_EQ(
      tester.Values("Sqrt-0", {ConstantOf(ElementType::kF32, Shape(), {4})}),
      "2");
  EXPECT_EQ(tester.Values("Exp-0", {x}), "unknown");
  EXPECT_EQ(tester.Values("LogicalNot-1", {ConstantOf(ElementType::kBoolean,
                                                      Shape({2}), {0, 1})}),
            "1, 0");
  EXPECT_EQ(tester.Values("LogicalNot-1", {ConstantOf(ElementType::kF32,
                                                      Shape({2}), {0.25, 0})}),
            "0, 1");
}

TEST(ClampTest, WantsBoundsInOrder) {
  EXPECT_THAT(tester.Error("Clamp-0", {F32({1})}, {{"min", "2"}, {"max", "1"}}),
              HasSubstr("min 2 is greater than max 1"));
}

// ---- Two inputs ----

TEST(BinaryTest, Broadcasts) {
  EXPECT_EQ(tester.Shapes("Add-1", {F32({2, 1, -1}), F32({3, 1})}),
            "f32[2,3,?]");
  EXPECT_EQ(tester.Shapes("Add-1", {F32({2, 3, 4}), F32({2, 3})},
                          {{"auto_broadcast", "pdpd"}}),
            "f32[2,3,4]");
  EXPECT_EQ(tester.Shapes("Less-1", {I64({-1}), I64(Shape())}), "boolean[?]");
  EXPECT_EQ(tester.Shapes("Divide-1", {F32(PartialShape()), F32({1})}),
            "f32[...]");
}

TEST(BinaryTest, SaysWhatDoesNotFit) {
  EXPECT_THAT(tester.Error("Add-1", {F32({2, 3}), F32({4})}),
              HasSubstr("shapes [2,3] of input 0 and [4] of input 1 do not "
                        "fit by auto_broadcast numpy"));
  EXPECT_THAT(
      tester.Error("Add-1", {F32({2}), F32({1})}, {{"auto_broadcast", "none"}}),
      HasSubstr("do not fit by auto_broadcast none"));
  EXPECT_THAT(tester.Error("Add-1", {F32({1}), I32({1})}),
              HasSubstr("input 1 has type i32, want f32 as input 0 has"));
  EXPECT_THAT(tester.Error("Add-1", {Boolean({1}), Boolean({1})}),
              HasSubstr("want a numeric type"));
  EXPECT_THAT(tester.Error("LogicalAnd-1", {I32({1}), I32({1})}),
              HasSubstr("want boolean"));
  EXPECT_THAT(tester.Error("BitwiseLeftShift-15", {Boolean({1}), Boolean({1})}),
              HasSubstr("want an integer type"));
}

TEST(BinaryTest, TakesBooleansWhereItShould) {
  EXPECT_EQ(tester.Shapes("Equal-1", {Boolean({2}), Boolean({2})}),
            "boolean[2]");
  EXPECT_EQ(tester.Shapes("BitwiseAnd-13", {Boolean({2}), Boolean({2})}),
            "boolean[2]");
  EXPECT_EQ(tester.Shapes("Xor-0", {Boolean({2}), Boolean({1})}), "boolean[2]");
}

TEST(BinaryTest, KnowsValues) {
  const InputSpec a = Ints({7, -7}), b = Ints({2});
  EXPECT_EQ(tester.Values("Add-1", {a, b}), "9, -5");
  EXPECT_EQ(tester.Values("Subtract-1", {a, b}), "5, -9");
  EXPECT_EQ(tester.Values("Multiply-1", {a, b}), "14, -14");
  EXPECT_EQ(tester.Values("Divide-1", {a, b}), "3, -4");
  EXPECT_EQ(tester.Values("Divide-1", {a, b}, {{"m_pythondiv", "false"}}),
            "3, -3");
  EXPECT_EQ(tester.Values("Mod-1", {a, b}), "1, -1");
  EXPECT_EQ(tester.Values("FloorMod-1", {a, b}), "1, 1");
  EXPECT_EQ(tester.Values("Power-1", {a, b}), "49, 49");
  EXPECT_EQ(tester.Values("SquaredDifference-0", {a, b}), "25, 81");
  EXPECT_EQ(tester.Values("Maximum-1", {a, b}), "7, 2");
  EXPECT_EQ(tester.Values("Minimum-1", {a, b}), "2, -7");
  EXPECT_EQ(tester.Values("Greater-1", {a, b}), "1, 0");
  EXPECT_EQ(tester.Values("Equal-1", {a, Ints({7})}), "1, 0");
  EXPECT_EQ(tester.Values("Add-1", {a, I64({2})}), "unknown");
}

// ---- Three inputs ----

TEST(SelectTest, BroadcastsAllThree) {
  EXPECT_EQ(
      tester.Shapes("Select-1", {Boolean({3}), F32({2, 1}), F32(Shape())}),
      "f32[2,3]");
  EXPECT_EQ(tester.Shapes("Select-1",
                          {Boolean({-1}), I64({2, 1}), I64(PartialShape())}),
            "i64[...]");
}

TEST(SelectTest, KnowsValues) {
  EXPECT_EQ(tester.Values("Select-1", {ConstantOf(ElementType::kBoolean,
                                                  Shape({2}), {1, 0}),
                                       Ints({1, 2}), Ints({3, 4})}),
            "1, 4");
}

TEST(SelectTest, SaysWhatDoesNotFit) {
  EXPECT_THAT(tester.Error("Select-1", {Boolean({3}), F32({2}), F32({2})}),
              HasSubstr("shape [3] of the condition does not fit [2]"));
  EXPECT_THAT(tester.Error("Select-1", {F32({2}), F32({2}), F32({2})}),
              HasSubstr("input 0 has type f32, want boolean"));
  EXPECT_THAT(tester.Error("Select-1", {Boolean({2}), F32({2}), I64({2})}),
              HasSubstr("input 2 has type i64, want f32 as input 1 has"));
}

// ---- Conversions ----

TEST(ConvertTest, ChangesTheType) {
  EXPECT_EQ(
      tester.Shapes("Convert-0", {F32({2, -1})}, {{"destination_type", "i8"}}),
      "i8[2,?]");
  EXPECT_THAT(tester.Error("Convert-0", {F32({2})}),
              HasSubstr("destination_type is not set"));
  EXPECT_EQ(tester.Shapes("ConvertLike-1", {F32({2}), I64({5})}), "i64[2]");
}

TEST(ConvertTest, KnowsValues) {
  const InputSpec x = ConstantOf(ElementType::kF32, Shape({3}), {-1.5, 0, 2.5});
  EXPECT_EQ(tester.Values("Convert-0", {x}, {{"destination_type", "i64"}}),
            "-1, 0, 2");
  EXPECT_EQ(tester.Values("Convert-0", {x}, {{"destination_type", "boolean"}}),
            "1, 0, 1");
  EXPECT_EQ(tester.Values("ConvertLike-1", {x, I32({1})}), "-1, 0, 2");
  EXPECT_EQ(tester.Values("Convert-0", {Ints({-1, 7})},
                          {{"destination_type", "u8"}}),
            "0..255, 7");
}

// The common type of two vectors, or of a scalar and a vector.
std::string Common(ElementType a, ElementType b, const TextAttributes& how,
                   const PartialShape& shape_a = {1}) {
  const auto outputs = tester.Infer("ConvertPromoteTypes-14",
                                    {Typed(a, shape_a), Typed(b, {1})}, how);
  if (!outputs.ok()) return "none";
  EXPECT_EQ((*outputs)[0].type, (*outputs)[1].type);
  return std::string(ElementTypeName((*outputs)[0].type));
}

TEST(ConvertPromoteTypesTest, FindsASafeType) {
  using enum ElementType;
  EXPECT_EQ(Common(kF16, kF32, {}), "f32");
  EXPECT_EQ(Common(kBoolean, kU8, {}), "u8");
  EXPECT_EQ(Common(kI8, kF16, {}), "f16");
  EXPECT_EQ(Common(kI16, kF16, {}), "none");
  EXPECT_EQ(Common(kI32, kF32, {}), "none");
  EXPECT_EQ(Common(kU8, kI16, {}), "i16");
  EXPECT_EQ(Common(kU8, kI8, {}), "none");
  EXPECT_EQ(Common(kF16, kBf16, {}), "none");
  EXPECT_EQ(Common(kF32, kNf4, {}), "none");
}

TEST(ConvertPromoteTypesTest, MayBeUnsafe) {
  using enum ElementType;
  const TextAttributes unsafe = {{"promote_unsafe", "true"}};
  EXPECT_EQ(Common(kF16, kBf16, unsafe), "f32");
  EXPECT_EQ(Common(kI64, kF16, unsafe), "f16");
  EXPECT_EQ(Common(kU8, kI8, unsafe), "i16");
  EXPECT_EQ(Common(kU32, kI8, unsafe), "i64");
  EXPECT_EQ(Common(kU64, kI8, unsafe), "f32");
  EXPECT_EQ(Common(kU64, kI8,
                   {{"promote_unsafe", "true"},
                    {"u64_integer_promotion_target", "i64"}}),
            "i64");
}

TEST(ConvertPromoteTypesTest, AScalarGivesWay) {
  using enum ElementType;
  const TextAttributes safe = {{"pytorch_scalar_promotion", "true"}};
  EXPECT_EQ(Common(kBf16, kF16, safe, Shape()), "f16");
  EXPECT_EQ(Common(kF32, kF16, safe, Shape()), "none");
  EXPECT_EQ(Common(kI8, kI64, safe, Shape()), "i64");
  EXPECT_EQ(Common(kI8, kU64, safe, Shape()), "none");
  const TextAttributes unsafe = {{"pytorch_scalar_promotion", "true"},
                                 {"promote_unsafe", "true"}};
  EXPECT_EQ(Common(kF64, kF16, unsafe, Shape()), "f16");
  EXPECT_EQ(Common(kF16, kI64, unsafe, Shape()), "f16");
  EXPECT_EQ(Common(kI64, kU8, unsafe, Shape()), "u8");
  EXPECT_EQ(Common(kF64, kF16, unsafe, PartialShape::DynamicRank()), "dynamic");
}

}  // namespace
}  // namespace dovetail
