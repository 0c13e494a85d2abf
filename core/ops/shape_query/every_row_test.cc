// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/shape_query/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(ShapeQueryOps());
const InferTester tester(ShapeQueryOps());

TEST(EveryShapeQueryTest, InfersAndRefuses) {
  const InputSpec any = I64(Shape());
  const TextAttributes i64 = {{"output_type", "i64"}};
  ExpectShapes(tester, {
      {"ShapeOf-0", {F32(PartialShape())}, {}, "i64[?]"},
      {"ShapeOf-3", {F32({2, 3})}, {}, "i64[2]"},
      {"Range-0", {Int(0), I64(PartialShape()), Int(1)}, {}, "i64[?]"},
      {"Range-4", {Int(0), I64(PartialShape()), Int(1)}, i64, "i64[?]"},
      {"Broadcast-1", {F32({-1, 3}), I64({2})}, {}, "f32[?,3]"},
      {"Eye-9", {I64({-1}), any, any}, {}, "f32[?,?]"},
  });
  ExpectErrors(tester, {
      {"ShapeOf-0", {F32({2}), F32({2})}, {}, "2 inputs"},
      {"Broadcast-1", {F32({2, 3}), Ints({4, 3})}, {}, "want 1 or 4"},
  });
}

}  // namespace
}  // namespace dovetail
