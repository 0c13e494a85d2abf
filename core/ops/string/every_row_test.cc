// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/string/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(StringOps());
const InferTester tester(StringOps());

TEST(EveryStringTest, InfersStaticShapes) {
  ExpectShapes(tester, {
      {"StringTensorPack-15",
       {I32({2, 3}), I32({2, 3}), Typed(ElementType::kU8, {9})}, {},
       "string[2,3]"},
      {"StringTensorUnpack-15", {Typed(ElementType::kString, {2, 3})}, {},
       "i32[2,3] i32[2,3] u8[?]"},
  });
}

}  // namespace
}  // namespace dovetail
