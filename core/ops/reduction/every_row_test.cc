// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/reduction/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(ReductionOps());
const InferTester tester(ReductionOps());

TEST(EveryReductionTest, DropsOrKeepsAxes) {
  const TextAttributes keep = {{"keep_dims", "true"}};
  for (const char* op : {"ReduceL1-4", "ReduceL2-4", "ReduceMax-1",
                         "ReduceMean-1", "ReduceMin-1", "ReduceProd-1",
                         "ReduceSum-1"}) {
    ExpectShapes(tester, {
        {op, {F32({2, 3, 4}), Ints({-1, 0})}, {}, "f32[3]"},
        {op, {F32({2, Dimension(1, 8)}), Int(0)}, keep, "f32[1,1..8]"},
        {op, {F32(PartialShape()), Int(0)}, {}, "f32[...]"},
    });
    ExpectErrors(tester, {
        {op, {F32({2, 3}), Int(2)}, {}, "axes"},
        {op, {F32({2, 3}), Ints({0, -3})}, {}, "-3"},
    });
  }
}

TEST(EveryReductionTest, OfTruth) {
  for (const char* op : {"ReduceLogicalAnd-1", "ReduceLogicalOr-1"}) {
    ExpectShapes(tester, {
        {op, {Boolean({2, 3}), Int(1)}, {}, "boolean[2]"},
        {op, {Boolean({-1, 3}), Int(1)}, {}, "boolean[?]"},
    });
    ExpectErrors(tester, {
        {op, {F32({2, 3}), Int(1)}, {}, "input 0 has type f32"},
        {op, {Boolean({2, 3}), Int(-3)}, {}, "axes"},
    });
  }
}

}  // namespace
}  // namespace dovetail
