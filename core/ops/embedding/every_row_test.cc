// What each version of the family's operations infers from static and dynamic
// shapes, and one wrong use of it, as far as the other tests leave it out.
#include "dovetail/core/ops/embedding/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const EveryRowIsInferred every_row(EmbeddingOps());
const InferTester tester(EmbeddingOps());

TEST(EveryEmbeddingTest, InfersAndRefuses) {
  const InputSpec table = F32({9, 3});
  ExpectShapes(tester, {
      {"EmbeddingBagOffsets-15", {F32({-1, 3}), I32({-1}), I32({4})}, {},
       "f32[4,3]"},
      {"EmbeddingBagOffsetsSum-3", {table, I64({7}), I64({4})}, {},
       "f32[4,3]"},
      {"EmbeddingBagPacked-15", {table, I64({-1, 5}), F32({4, -1})}, {},
       "f32[4,3]"},
      {"EmbeddingBagPackedSum-3", {table, I64({4, 5})}, {}, "f32[4,3]"},
  });
  ExpectErrors(tester, {
      {"EmbeddingBagPacked-15", {table, I64({4, 5}), F32({4, 6})}, {},
       "input 2 (weights) has shape [4,6], want [4,5]"},
  });
}

}  // namespace
}  // namespace dovetail
