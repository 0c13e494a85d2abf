// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/ctc/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(CtcOps());
const InferTester tester(CtcOps());

TEST(EveryCtcTest, InfersStaticShapes) {
  ExpectShapes(tester, {
      {"CTCGreedyDecoder-0", {F32({20, 2, 9}), F32({20, 2})}, {},
       "f32[2,20,1,1]"},
      {"CTCGreedyDecoderSeqLen-6", {F32({2, 20, 9}), I32({2}), Int(8)}, {},
       "i32[2,20] i32[2]"},
      {"CTCLoss-4", {F32({2, 6, 4}), I32({2}), I32({2, 6}), I32({2})}, {},
       "f32[2]"},
  });
}

}  // namespace
}  // namespace dovetail
