// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/random/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(RandomOps());
const InferTester tester(RandomOps());

TEST(EveryRandomTest, InfersDynamicShapes) {
  ExpectShapes(tester, {
      {"Multinomial-13", {F32({-1, 5}), Ints({3})},
       {{"convert_type", "i32"}}, "i32[?,3]"},
      {"Multinomial-13", {F32(PartialShape()), Int(3)}, {}, "i64[...]"},
  });
}

}  // namespace
}  // namespace dovetail
