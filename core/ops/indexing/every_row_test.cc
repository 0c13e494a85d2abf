// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/indexing/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(IndexingOps());
const InferTester tester(IndexingOps());

const TextAttributes kOneShared = {{"batch_dims", "1"}};

TEST(EveryGatherTest, InfersAndRefuses) {
  ExpectShapes(tester, {
      {"Gather-1", {F32({-1, 3}), I64({4}), Int(1)}, {}, "f32[?,4]"},
      {"Gather-7", {F32({2, 3}), I64({2, 5}), Int(1)}, kOneShared, "f32[2,5]"},
      {"GatherElements-6", {F32({2, 3}), I64({5, 3})}, {}, "f32[5,3]"},
      {"GatherND-5", {F32({-1, 3, 4}), I64({2, 7, 1})}, kOneShared,
       "f32[2,7,4]"},
      {"GatherTree-1", {F32({5, 2, 3}), F32({5, 2, 3}), F32({2}),
                        F32(Shape())}, {}, "f32[5,2,3]"},
  });
  ExpectErrors(tester, {
      {"Gather-1", {F32({2, 3}), I64({4}), Int(-3)}, {}, "axis, -3"},
      {"Gather-7", {F32({2, 3}), I64({2, 5}), Int(0)}, kOneShared,
       "at most 0"},
      {"GatherND-5", {F32({2, 3}), I64({5, 1})}, kOneShared, "batch"},
  });
}

TEST(EveryScatterTest, InfersAndRefuses) {
  const InputSpec data = F32({3, -1}), indices = I64({2, 4});
  for (const char* op :
       {"ScatterElementsUpdate-3", "ScatterElementsUpdate-12"}) {
    ExpectShapes(tester, {
        {op, {F32({3, 4}), indices, F32({2, 4}), Int(0)}, {}, "f32[3,4]"},
        {op, {data, indices, F32({2, 4}), Int(0)}, {}, "f32[3,?]"},
    });
    ExpectErrors(tester, {
        {op, {data, indices, F32({2, 3}), Int(0)}, {}, "want [2,4]"},
        {op, {data, indices, F32({2, 4}), Int(2)}, {}, "axis, 2"},
    });
  }
  for (const char* op : {"ScatterNDUpdate-3", "ScatterNDUpdate-15"}) {
    ExpectShapes(tester, {
        {op, {F32({3, 4}), I64({5, 1}), F32({5, 4})}, {}, "f32[3,4]"},
        {op, {data, I64({5, -1}), F32({5, 4})}, {}, "f32[3,?]"},
    });
    ExpectErrors(tester, {
        {op, {data, I64({5, 3}), F32({5})}, {}, "3 coordinates"},
    });
  }
}

TEST(EveryOrderingTest, InfersAndRefuses) {
  const InputSpec on = ConstantOf(ElementType::kF32, {}, {1});
  const InputSpec any = F32(PartialShape());
  for (const char* op : {"TopK-1", "TopK-3", "TopK-11"}) {
    ExpectShapes(tester, {
        {op, {F32({3, 4}), Int(2)}, {{"axis", "-1"}}, "f32[3,2] i32[3,2]"},
        {op, {F32({-1, 4}), Int(2)}, {{"axis", "1"}}, "f32[?,2] i32[?,2]"},
        {op, {any, Int(2)}, {}, "f32[...] i32[...]"},
    });
    ExpectErrors(tester, {{op, {F32({3, 4}), Int(2)}, {{"axis", "2"}},
                           "axis 2"}});
  }
  for (const char* op : {"OneHot-1", "OneHot-16"}) {
    ExpectShapes(tester, {
        {op, {I64({3}), Int(5), on, on}, {{"axis", "0"}}, "f32[5,3]"},
        {op, {I64({-1}), Int(5), on, on}, {{"axis", "-1"}}, "f32[?,5]"},
    });
    ExpectErrors(tester, {
        {op, {I64({3}), Int(5), F32({2}), on}, {}, "input 2 has shape [2]"},
    });
  }
  ExpectShapes(tester, {
      {"Bucketize-3", {F32({2, 3}), F32({5})}, {}, "i64[2,3]"},
      {"CumSum-0", {F32({2, -1}), I32(Shape())}, {}, "f32[2,?]"},
      {"Unique-10", {F32({-1, 4}), Int(0)}, {},
       "f32[?,4] i64[?] i64[?] i64[?]"},
  });
}

}  // namespace
}  // namespace dovetail
