// What the operations of connectionist temporal classification infer.
#include "dovetail/core/ops/ctc/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(CtcOps());

TEST(CtcGreedyDecoderTest, HasARowASequence) {
  EXPECT_EQ(tester.Shapes("CTCGreedyDecoder-0",
                          {F32(PartialShape{20, 2, 9}),
                           F32(PartialShape{20, -1})}),
            "f32[2,20,1,1]");
  EXPECT_THAT(tester.Error("CTCGreedyDecoder-0",
                           {F32(PartialShape{20, 2, 9}),
                            F32(PartialShape{19, 2})}),
              HasSubstr("T"));
}

TEST(CtcGreedyDecoderSeqLenTest, GivesClassesAndLengths) {
  EXPECT_EQ(tester.Shapes("CTCGreedyDecoderSeqLen-6",
                          {F32(PartialShape{2, -1, 9}), I32(PartialShape{2})},
                          {{"classes_index_type", "i64"}}),
            "i64[2,?] i32[2]");
  EXPECT_THAT(tester.Error("CTCGreedyDecoderSeqLen-6",
                           {F32(PartialShape{2, 3, 9}), F32(PartialShape{2})}),
              HasSubstr("input 1 has type f32"));
}

TEST(CtcLossTest, HasANumberForEachSequence) {
  EXPECT_EQ(tester.Shapes("CTCLoss-4", {F32({-1, 6, 4}), I32({2}),
                                        I32({2, 6}), I32({-1}), Int(3)}),
            "f32[2]");
  EXPECT_EQ(tester.Shapes("CTCLoss-4",
                          {F32(PartialShape()), I64(PartialShape()),
                           I64(PartialShape()), I64(PartialShape())}),
            "f32[?]");
}

TEST(CtcLossTest, SaysWhatIsWrong) {
  const InputSpec logits = F32({2, 6, 4}), lengths = I32({2});
  EXPECT_THAT(tester.Error("CTCLoss-4", {logits, lengths, I32({2, 5}),
                                         lengths}),
              HasSubstr("as T"));
  EXPECT_THAT(tester.Error("CTCLoss-4", {logits, I32({3}), I32({2, 6}),
                                         lengths}),
              HasSubstr("input 1 has 3 as N"));
  EXPECT_THAT(tester.Error("CTCLoss-4", {F32({-1, 6, 4}), lengths,
                                         I32({3, 6}), lengths}),
              HasSubstr("input 2 has 3 as N, want 2"));
  EXPECT_THAT(tester.Error("CTCLoss-4", {logits, lengths, F32({2, 6}),
                                         lengths}),
              HasSubstr("input 2 has type f32"));
  EXPECT_THAT(tester.Error("CTCLoss-4", {logits, lengths, I32({2, 6}),
                                         lengths, I32({2})}),
              HasSubstr("input 4"));
}

}  // namespace
}  // namespace dovetail
