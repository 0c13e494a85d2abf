// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/state/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(StateOps());
const InferTester tester(StateOps());

TEST(EveryStateTest, InfersAndRefuses) {
  const TextAttributes id = {{"variable_id", "v"}};
  const TextAttributes declared = {{"variable_id", "v"},
                                   {"variable_type", "f32"},
                                   {"variable_shape", "?,3"}};
  for (const char* op : {"Assign-3", "Assign-6", "ReadValue-3"}) {
    ExpectShapes(tester, {
        {op, {F32({2, 3})}, id, "f32[2,3]"},
        {op, {F32({-1, 3})}, id, "f32[?,3]"},
    });
    ExpectErrors(tester, {
        {op, {F32({2, 3})}, {}, "attribute variable_id is empty"},
    });
  }
  ExpectShapes(tester, {
      {"ReadValue-6", {}, declared, "f32[?,3]"},
      {"ReadValue-6", {F32({2, 3})}, declared, "f32[?,3]"},
      {"ReadValue-6", {F32(PartialShape())}, declared, "f32[?,3]"},
      // What is not declared is as the initial value.
      {"ReadValue-6", {F32({1, 3})}, id, "f32[1,3]"},
      {"ReadValue-6", {F32({1, 3})},
       {{"variable_id", "v"}, {"variable_type", "f32"}}, "f32[...]"},
  });
  ExpectErrors(tester, {
      {"ReadValue-6", {F32({2, 4})}, declared,
       "input 0 has shape [2,4], the variable's is [?,3]"},
      {"ReadValue-6", {I32({2, 3})}, declared, "input 0 has type i32"},
      {"ReadValue-6", {}, {}, "attribute variable_id is empty"},
  });
}

}  // namespace
}  // namespace dovetail
