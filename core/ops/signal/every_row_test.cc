// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/signal/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(SignalOps());
const InferTester tester(SignalOps());

TEST(EveryFourierTest, InfersDynamicShapes) {
  ExpectShapes(tester, {
      {"IDFT-7", {F32({-1, 5, 2}), Ints({0})}, {}, "f32[?,5,2]"},
      {"IDFT-7", {F32(PartialShape()), Ints({0})}, {}, "f32[...]"},
      {"RDFT-9", {F32({-1, Dimension(4, 9)}), Ints({1})}, {}, "f32[?,3..5,2]"},
      {"IRDFT-9", {F32({-1, Dimension(3, 5), 2}), Ints({1})}, {},
       "f32[?,4..8]"},
      {"ISTFT-16",
       {F32({-1, 9, Dimension(2, 5), 2}), F32({16}), Int(16), Int(8)}, {},
       "f32[?,24..48]"},
      {"ISTFT-16", {F32(PartialShape()), F32({16}), Int(16), Int(8)}, {},
       "f32[...]"},
  });
}

}  // namespace
}  // namespace dovetail
