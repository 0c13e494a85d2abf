#include "dovetail/core/ops/embedding/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "dovetail/core/ops/testing/infer_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const InferTester tester(EmbeddingOps());

TEST(EmbeddingBagTest, HasARowForEachBag) {
  const InputSpec table = F32({9, 3, 2}), indices = I32({7});
  ExpectShapes(tester, {
      {"EmbeddingBagOffsets-15", {table, indices, I32({4}), Int(-1)},
       {{"reduction", "mean"}}, "f32[4,3,2]"},
      {"EmbeddingBagOffsetsSum-3",
       {table, indices, I32({-1}), I32(Shape()), F32({7})}, {},
       "f32[?,3,2]"},
      {"EmbeddingBagOffsetsSum-3", {F32(PartialShape()), indices, I32({4})},
       {}, "f32[...]"},
      {"EmbeddingBagPacked-15", {table, I64({4, 5})}, {}, "f32[4,3,2]"},
      {"EmbeddingBagPackedSum-3", {F32({-1, 3}), I64({-1, 5}), F32({4, 5})},
       {}, "f32[4,3]"},
      {"EmbeddingSegmentsSum-3",
       {table, indices, I32({7}), Int(4), Int(-1), F32({7})}, {},
       "f32[4,3,2]"},
      {"EmbeddingSegmentsSum-3", {table, indices, I32({-1}), I32(Shape())},
       {}, "f32[?,3,2]"},
  });
}

TEST(EmbeddingBagTest, SaysWhatIsWrong) {
  const InputSpec table = F32({9, 3, 2}), indices = I32({7});
  ExpectErrors(tester, {
      {"EmbeddingBagOffsets-15",
       {table, indices, I32({4}), Int(-1), F32({7})}, {{"reduction", "mean"}},
       "does not go with reduction mean"},
      {"EmbeddingBagOffsetsSum-3", {table, F32({7}), I32({4})}, {},
       "input 1 has type f32"},
      {"EmbeddingBagOffsetsSum-3", {table, indices, I32({4, 1})}, {},
       "input 2 has shape [4,1]"},
      {"EmbeddingBagOffsetsSum-3",
       {table, indices, I32({4}), Int(0), F32({6})}, {},
       "input 4 (weights) has shape [6], want [7]"},
      {"EmbeddingBagPackedSum-3", {table, I32({4})}, {}, "input 1"},
      {"EmbeddingBagPackedSum-3", {F32(Shape()), I32({4, 5})}, {}, "input 0"},
      {"EmbeddingSegmentsSum-3", {table, indices, I32({6}), Int(4)}, {},
       "input 2 has 6 elements, want 7"},
      {"EmbeddingSegmentsSum-3", {table, indices, I32({7}), Int(-4)}, {},
       "input 3 (num_segments) is -4"},
  });
}

TEST(SegmentMaxTest, CountsSegments) {
  const TextAttributes zero = {{"fill_mode", "ZERO"}};
  ExpectShapes(tester, {
      {"SegmentMax-16", {F32({3, 2}), Ints({0, 0, 4})}, zero, "f32[5,2]"},
      {"SegmentMax-16", {F32({3, 2}), I32({3})}, zero, "f32[?,2]"},
      {"SegmentMax-16", {I32({-1}), I32({3}), Int(7)}, zero, "i32[7]"},
      {"SegmentMax-16", {F32({0, 2}), Ints({})}, zero, "f32[0,2]"},
      {"SegmentMax-16", {F32(PartialShape()), I32({3})}, zero, "f32[...]"},
  });
  ExpectErrors(tester, {
      {"SegmentMax-16", {F32({3}), Ints({0, 2, 1})}, {}, "has 1 after 2"},
      {"SegmentMax-16", {F32({1}), Ints({-1})}, {}, "has -1 after 0"},
      {"SegmentMax-16", {F32({3}), I32({2})}, {}, "the number of rows"},
      {"SegmentMax-16", {F32({3}), I32({3}), Int(-1)}, {},
       "input 2 (num_segments) is -1"},
  });
}

TEST(SparseFillEmptyRowsTest, CountsWhatIsMissing) {
  const char* const op = "SparseFillEmptyRows-16";
  const InputSpec filling = F32(Shape());
  const InputSpec pairs =
      ConstantOf(ElementType::kI64, {3, 2}, {0, 1, 0, 3, 2, 0});
  ExpectShapes(tester, {
      {op, {F32({3}), Ints({5, 4}), pairs, filling}, {},
       "i64[6,2] f32[6] boolean[5]"},
      {op, {F32({3}), Ints({5, 4}), I64({3, 2}), filling}, {},
       "i64[5..8,2] f32[5..8] boolean[5]"},
      {op, {F32({3}), I32({2}), I32({3, 2}), filling}, {},
       "i32[3..,2] f32[3..] boolean[?]"},
      {op, {F32(PartialShape()), I32({2}), I32(PartialShape()), filling}, {},
       "i32[?,2] f32[?] boolean[?]"},
  });
  ExpectErrors(tester, {
      {op, {F32({3}), Ints({2, 4}), pairs, filling}, {},
       "row 2, column 0, which is outside of 2 x 4"},
      {op, {F32({3}), Ints({-1, 4}), pairs, filling}, {},
       "dense_shape) is -1 x 4"},
      {op, {F32({2}), Ints({5, 4}), pairs, filling}, {},
       "the number of values"},
      {op, {F32({3}), Ints({5, 4, 1}), pairs, filling}, {}, "want [2]"},
      {op, {F32({3}), Ints({5, 4}), I64({3, 3}), filling}, {}, "want [?,2]"},
      {op, {F32({3}), Ints({5, 4}), pairs, I32(Shape())}, {}, "i32"},
  });
}

}  // namespace
}  // namespace dovetail
