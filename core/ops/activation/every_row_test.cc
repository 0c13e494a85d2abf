// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/activation/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(ActivationOps());
const InferTester tester(ActivationOps());

TEST(EveryActivationTest, KeepsTypeAndShapeOfNumbers) {
  for (const char* op :
       {"Elu-0", "Gelu-0", "Gelu-7", "HSigmoid-5", "HSwish-4", "Mish-4",
        "Relu-0", "Sigmoid-0", "SoftPlus-4", "SoftSign-9", "Swish-4",
        "Tanh-0"}) {
    ExpectShapes(tester, {
        {op, {F32({2, 3})}, {}, "f32[2,3]"},
        {op, {F32({Dimension(1, 8), -1})}, {}, "f32[1..8,?]"},
        {op, {F32(PartialShape())}, {}, "f32[...]"},
    });
    ExpectErrors(tester, {
        {op, {Typed(ElementType::kString, {2})}, {}, "has type string"},
        {op, {F32({2}), F32({1}), F32({1})}, {}, "3 inputs"},
    });
  }
}

TEST(EveryActivationTest, KeepsTypeAndShapeWithParameters) {
  const InputSpec scalar = F32(Shape());
  for (const char* op : {"HardSigmoid-0", "Selu-0"}) {
    ExpectShapes(tester, {
        {op, {F32({2, 3}), scalar, scalar}, {}, "f32[2,3]"},
        {op, {F32({2, -1}), F32(PartialShape()), scalar}, {}, "f32[2,?]"},
    });
    ExpectErrors(tester, {
        {op, {F32({2, 3}), scalar, F32({2})}, {},
         "input 2 has shape [2], want a single element"},
    });
  }
}

}  // namespace
}  // namespace dovetail
