// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include <string>

#include "dovetail/core/ops/elementwise/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(ElementwiseOps());
const InferTester tester(ElementwiseOps());

TEST(EveryUnaryTest, KeepsTypeAndShape) {
  for (const char* op :
       {"Abs-0",   "Acos-0", "Acosh-3",    "Asin-0",  "Asinh-3", "Atan-0",
        "Atanh-3", "Cos-0",  "Ceiling-0",  "Cosh-0",  "Erf-0",   "ErfInv-17",
        "Exp-0",   "Floor-0", "Log-0",     "Negative-0", "Round-5", "Sign-0",
        "Sin-0",   "Sinh-0", "Sqrt-0",     "Tan-0"}) {
    ExpectShapes(tester, {
        {op, {F32({2, 3})}, {}, "f32[2,3]"},
        {op, {F32({Dimension(1, 8), -1})}, {}, "f32[1..8,?]"},
        {op, {F32(PartialShape())}, {}, "f32[...]"},
    });
    ExpectErrors(tester, {
        {op, {Typed(ElementType::kString, {2})}, {}, "has type string"},
        {op, {F32({2}), F32({2})}, {}, "2 inputs"},
    });
  }
}

TEST(EveryUnaryTest, OfOtherKinds) {
  const TextAttributes bounds = {{"min", "0"}, {"max", "1"}};
  ExpectShapes(tester, {
      {"Clamp-0", {I32({2, -1})}, bounds, "i32[2,?]"},
      {"BitwiseNot-13", {I32({2, 3})}, {}, "i32[2,3]"},
      {"BitwiseNot-13", {Boolean({2, -1})}, {}, "boolean[2,?]"},
      {"LogicalNot-1", {Boolean({2, 3})}, {}, "boolean[2,3]"},
      {"LogicalNot-1", {Boolean(PartialShape())}, {}, "boolean[...]"},
      {"ConvertLike-1", {F32({-1, 3}), I32(PartialShape())}, {}, "i32[?,3]"},
  });
  ExpectErrors(tester, {
      {"Clamp-0", {F32({2})}, {{"min", "3"}, {"max", "-3"}}, "greater"},
      {"ConvertLike-1", {F32({2})}, {}, "1 input"},
      {"BitwiseNot-13", {F32({2})}, {}, "has type f32"},
      {"LogicalNot-1", {Boolean({2}), Boolean({2})}, {}, "2 inputs"},
  });
  for (const char* op : {"IsFinite-10", "IsInf-10", "IsNaN-10"}) {
    ExpectShapes(tester, {
        {op, {F32({2, 3})}, {}, "boolean[2,3]"},
        {op, {F32({2, -1})}, {}, "boolean[2,?]"},
    });
    ExpectErrors(tester, {{op, {I32({2})}, {}, "has type i32"}});
  }
}

// One operation on two tensors of `type`, with an output of type `want`.
void ExpectBroadcasts(const std::string& op, ElementType type,
                      const std::string& want) {
  ExpectShapes(tester, {
      {op, {Typed(type, {2, 1, 3}), Typed(type, {4, 1})}, {},
       want + "[2,4,3]"},
      {op, {Typed(type, {Dimension(2, 8), 3}), Typed(type, {-1, 1})}, {},
       want + "[2..8,3]"},
      {op, {Typed(type, PartialShape()), Typed(type, {3})}, {},
       want + "[...]"},
      {op, {Typed(type, {2, 3}), Typed(type, {2, 1})},
       {{"auto_broadcast", "pdpd"}}, want + "[2,3]"},
  });
  ExpectErrors(tester, {
      {op, {Typed(type, {2, 3}), Typed(type, {2})}, {},
       "shapes [2,3] of input 0 and [2] of input 1 do not fit"},
      {op, {Typed(type, {2}), Typed(type, {1})}, {{"auto_broadcast", "none"}},
       "do not fit by auto_broadcast none"},
  });
}

TEST(EveryBinaryTest, Broadcasts) {
  for (const char* op :
       {"Add-1", "Divide-1", "FloorMod-1", "Maximum-1", "Minimum-1", "Mod-1",
        "Multiply-1", "Power-1", "SquaredDifference-0", "Subtract-1"}) {
    ExpectBroadcasts(op, ElementType::kF32, "f32");
  }
  for (const char* op : {"Equal-1", "Greater-1", "GreaterEqual-1", "Less-1",
                         "LessEqual-1", "NotEqual-1"}) {
    ExpectBroadcasts(op, ElementType::kF16, "boolean");
  }
  for (const char* op :
       {"LogicalAnd-1", "LogicalOr-1", "LogicalXor-1", "Xor-0"}) {
    ExpectBroadcasts(op, ElementType::kBoolean, "boolean");
  }
  for (const char* op : {"BitwiseAnd-13", "BitwiseOr-13", "BitwiseXor-13",
                         "BitwiseLeftShift-15", "BitwiseRightShift-15"}) {
    ExpectBroadcasts(op, ElementType::kI32, "i32");
  }
}

}  // namespace
}  // namespace dovetail
