// What the kernels of connectionist temporal classification compute.
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

}  // namespace
}  // namespace dovetail
