// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/normalization/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(NormalizationOps());
const InferTester tester(NormalizationOps());

TEST(EveryNormalizationTest, KeepsShapesAlongAnAxis) {
  for (const char* op : {"Softmax-1", "Softmax-8", "LogSoftmax-5"}) {
    ExpectShapes(tester, {
        {op, {F32({2, 3})}, {{"axis", "1"}}, "f32[2,3]"},
        {op, {F32({Dimension(1, 8), -1})}, {{"axis", "1"}}, "f32[1..8,?]"},
        {op, {F32(PartialShape())}, {{"axis", "1"}}, "f32[...]"},
    });
    ExpectErrors(tester, {{op, {F32({2, 3})}, {{"axis", "2"}}, "axis"}});
  }
}

TEST(EveryNormalizationTest, KeepsShapesAlongAxes) {
  const TextAttributes size = {{"size", "5"}};
  ExpectShapes(tester, {
      {"LRN-0", {F32({-1, 3}), Ints({1})}, size, "f32[?,3]"},
      {"LRN-0", {F32(PartialShape()), I64({-1})}, size, "f32[...]"},
      {"MVN-0", {F32({1, 2, 3})}, {}, "f32[1,2,3]"},
      {"MVN-6", {F32({2, 3}), Ints({0, 1})}, {}, "f32[2,3]"},
      {"NormalizeL2-0", {F32({-1, 3}), Ints({1})}, {}, "f32[?,3]"},
      {"GRN-0", {F32({2, 3, 4})}, {{"bias", "1"}}, "f32[2,3,4]"},
      {"GroupNormalization-12", {F32({2, 6, 5}), F32({6}), F32({6})},
       {{"num_groups", "3"}}, "f32[2,6,5]"},
  });
  ExpectErrors(tester, {
      {"LRN-0", {F32({2, 3}), Ints({2})}, size, "axis 2"},
      {"LRN-0", {F32({2, 3}), Int(1)}, size,
       "input 1 has shape [], want rank 1"},
      {"MVN-6", {F32({2, 3}), Int(1)}, {},
       "input 1 has shape [], want rank 1"},
      {"MVN-0", {F32({2, 3}), Ints({1})}, {}, "2 inputs"},
  });
}

TEST(EveryBatchNormTest, KeepsShapes) {
  const InputSpec one = F32({3}), any = F32(PartialShape());
  ExpectShapes(tester, {
      {"BatchNormInference-5", {F32({2, 3, 4}), one, one, one, one}, {},
       "f32[2,3,4]"},
      {"BatchNormInference-0", {one, one, F32({-1, -1, 4}), one, any}, {},
       "f32[?,3,4]"},
  });
  ExpectErrors(tester, {
      {"BatchNormInference-0", {one, one, F32({2, 4}), one, one}, {},
       "channels"},
  });
}

}  // namespace
}  // namespace dovetail
