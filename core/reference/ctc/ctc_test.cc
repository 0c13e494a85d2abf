// What the kernels of connectionist temporal classification compute.
#include <cmath>
#include <vector>

#include "dovetail/core/ops/ctc/table.h"
#include "dovetail/core/reference/ctc/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester tester(CtcOps(), CtcKernels());

// Best classes: 0 0 blank 0 1 (blank is 2).
Tensor Scores(const Shape& shape) {
  return Floats(shape, {1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0});
}

TEST(CtcGreedyDecoderTest, MergesWhatNothingParts) {
  const Tensor mask = Floats({5, 1}, {1, 1, 1, 1, 1});
  EXPECT_EQ(tester.Run("CTCGreedyDecoder-0", {Scores({5, 1, 3}), mask}),
            "f32[1,5,1,1] {0, 0, 1, -1, -1}");
  EXPECT_EQ(tester.Run("CTCGreedyDecoder-0", {Scores({5, 1, 3}), mask},
                       {{"ctc_merge_repeated", "false"}}),
            "f32[1,5,1,1] {0, 0, 0, 1, -1}");
}

TEST(CtcGreedyDecoderSeqLenTest, StopsAtTheLengthAndSkipsTheBlank) {
  EXPECT_EQ(tester.Run("CTCGreedyDecoderSeqLen-6",
                       {Scores({1, 5, 3}), Int32s({1}, {4})}),
            "i32[1,5] {0, 0, -1, -1, -1}; i32[1] {2}");
  EXPECT_EQ(tester.Run("CTCGreedyDecoderSeqLen-6",
                       {Scores({1, 5, 3}), Int32s({1}, {99}), Int32s({}, {0})}),
            "i32[1,5] {2, 1, -1, -1, -1}; i32[1] {2}");
  EXPECT_THAT(tester.Run("CTCGreedyDecoderSeqLen-6",
                         {Scores({1, 5, 3}), Int32s({1}, {4}),
                          Int32s({}, {3})}),
              HasSubstr("blank's class, is 3, want 0 to 2"));
}

// The loss where all of three classes are equally likely at all of five times:
// -log(alignments / 3^5). Class 2 is blank.
void ExpectAlignments(const std::vector<double>& labels, int times,
                      const TextAttributes& attributes, double alignments) {
  std::vector<double> padded = labels;
  padded.resize(5, 0);
  const Tensor logits = Floats({1, 5, 3}, std::vector<double>(15, 0.5));
  ExpectNear(tester.Outputs(
                 "CTCLoss-4",
                 {logits, Int32s({1}, {static_cast<double>(times)}),
                  Int32s({1, 5}, padded),
                  Int32s({1}, {static_cast<double>(labels.size())})},
                 attributes),
             {times * std::log(3.0) - std::log(alignments)});
}

TEST(CtcLossTest, CountsAlignments) {
  ExpectAlignments({0, 1}, 5, {}, 35);
  ExpectAlignments({0, 0}, 5, {}, 15);
  ExpectAlignments({}, 5, {}, 1);
  // Each label at one of the times.
  const TextAttributes apart = {{"ctc_merge_repeated", "false"}};
  ExpectAlignments({0, 1}, 5, apart, 10);
  ExpectAlignments({0, 0}, 5, apart, 10);
  ExpectAlignments({0, 0, 1}, 3, apart, 1);
  // Labels that count: {0} and {0, 1}.
  ExpectAlignments({0, 0}, 4, {{"preprocess_collapse_repeated", "true"}}, 10);
  ExpectAlignments({0, 1, 0}, 5, {{"unique", "true"}}, 35);
}

TEST(CtcLossTest, KnowsTheImpossible) {
  const Tensor logits = Floats({2, 2, 3}, std::vector<double>(12, 0));
  const auto losses = [&](const Tensor& lengths) {
    return tester.Run(
        "CTCLoss-4",
        {logits, lengths, Int64s({2, 2}, {0, 0, 1, 1}), Int64s({2}, {2, 0})});
  };
  // Two equal labels want three times; no labels want none.
  EXPECT_EQ(losses(Int64s({2}, {2, 0})), "f32[2] {inf, 0}");
  EXPECT_THAT(losses(Int64s({2}, {3, 0})), HasSubstr("length 3, want 0 to 2"));
}

TEST(CtcLossTest, WeighsClasses) {
  // Blank is 0. One time: the loss is that of a softmax, here of 1 and 3.
  const Tensor logits = Floats({1, 1, 2}, {0, std::log(3.0)});
  const Tensor one = Int32s({1}, {1});
  ExpectNear(tester.Outputs("CTCLoss-4", {logits, one, Int32s({1, 1}, {1}), one,
                                          Int32s({}, {0})}),
             {-std::log(0.75)});
  EXPECT_THAT(tester.Run("CTCLoss-4", {logits, one, Int32s({1, 1}, {2}), one}),
              HasSubstr("input 2 (labels) has 2, want 0 to 1"));
  EXPECT_THAT(tester.Run("CTCLoss-4", {logits, one, Int32s({1, 1}, {1}), one,
                                       Int32s({}, {2})}),
              HasSubstr("the blank's class, is 2"));
}

}  // namespace
}  // namespace dovetail
