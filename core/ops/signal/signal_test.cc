#include "dovetail/core/ops/signal/signal.h"

#include "dovetail/core/ops/signal/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using testing::HasSubstr;

const InferTester tester(SignalOps());

TEST(DftTest, CutsAndPads) {
  EXPECT_EQ(tester.Shapes("DFT-7", {F32({2, 5, -1, 2}), Ints({1, -1})}),
            "f32[2,5,?,2]");
  EXPECT_EQ(tester.Shapes("IDFT-7", {F32({2, 5, 6, 2}), Ints({1, -1}),
                                     Ints({8, -1})}),
            "f32[2,8,6,2]");
  EXPECT_EQ(tester.Shapes("DFT-7", {F32({2, 5, 2}), I64({1}), Ints({8})}),
            "f32[?,?,2]");
}

TEST(DftTest, RefusesWrongInputs) {
  EXPECT_THAT(tester.Error("DFT-7", {F32({2, 5, 3}), Ints({1})}),
              HasSubstr("want a last axis of 2"));
  EXPECT_THAT(tester.Error("DFT-7", {F32({2, 5, 2}), Ints({2})}),
              HasSubstr("axes 2 is outside of [-2, 1] for rank 2"));
  EXPECT_THAT(tester.Error("DFT-7", {F32({2, 5, 2}), Ints({0, 0})}),
              HasSubstr("axes has axis 0 twice"));
  EXPECT_THAT(tester.Error("DFT-7", {F32({2, 5, 2}), Ints({0}), Ints({0})}),
              HasSubstr("signal_size 0 is not positive"));
  for (const char* op : {"DFT-7", "IDFT-7", "IRDFT-9"}) {
    EXPECT_THAT(tester.Error(op, {F32({2, 5, 2}), I64({3})}),
                HasSubstr("input 1 has 3 axes, want at most 2"));
  }
  EXPECT_THAT(tester.Error("RDFT-9", {F32({2, 5}), I64({3})}),
              HasSubstr("input 1 has 3 axes, want at most 2"));
}

TEST(RdftTest, KeepsHalfOfTheLastAxis) {
  EXPECT_EQ(tester.Shapes("RDFT-9", {F32({2, 5, 6}), Ints({1, 2})}),
            "f32[2,5,4,2]");
  EXPECT_EQ(tester.Shapes("RDFT-9", {F32({2, 5, 6}), Ints({2, 1}),
                                     Ints({-1, 8})}),
            "f32[2,5,6,2]");
  EXPECT_THAT(tester.Error("RDFT-9", {F32({4}), Ints({})}),
              HasSubstr("names no axis"));
}

TEST(IrdftTest, IsTheReverse) {
  EXPECT_EQ(tester.Shapes("IRDFT-9", {F32({2, 5, 4, 2}), Ints({1, 2})}),
            "f32[2,5,6]");
  EXPECT_EQ(tester.Shapes("IRDFT-9", {F32({2, 5, 4, 2}), Ints({1, 2}),
                                      Ints({3, 7})}),
            "f32[2,3,7]");
}

TEST(StftTest, CountsFrames) {
  const std::vector<InputSpec> inputs = {F32({2, 48}), F32({16}), Int(16),
                                         Int(8)};
  EXPECT_EQ(tester.Shapes("STFT-15", inputs), "f32[2,5,9,2]");
  EXPECT_EQ(tester.Shapes("STFT-15", inputs, {{"transpose_frames", "true"}}),
            "f32[2,9,5,2]");
  EXPECT_EQ(tester.Shapes("STFT-15", {F32({-1}), F32({16}), Int(16), Int(8)}),
            "f32[1..,9,2]");
  EXPECT_THAT(
      tester.Error("STFT-15", {F32({10}), F32({16}), Int(16), Int(8)}),
      HasSubstr("a frame of 16 is longer than the signal"));
  EXPECT_THAT(
      tester.Error("STFT-15", {F32({48}), F32({16}), Int(8), Int(8)}),
      HasSubstr("a window of 16 is longer than a frame of 8"));
  EXPECT_THAT(
      tester.Error("STFT-15", {F32({48}), F32({0}), Int(16), Int(8)}),
      HasSubstr("input 1, the window, has no elements"));
  EXPECT_THAT(
      tester.Error("STFT-15", {F32({48}), F32({16}), Int(16), Int(0)}),
      HasSubstr("frame_step 0 is not positive"));
}

TEST(IstftTest, AddsFramesUp) {
  const std::vector<InputSpec> inputs = {F32({2, 9, 5, 2}), F32({16}), Int(16),
                                         Int(8)};
  EXPECT_EQ(tester.Shapes("ISTFT-16", inputs), "f32[2,48]");
  EXPECT_EQ(tester.Shapes("ISTFT-16", inputs, {{"center", "true"}}),
            "f32[2,32]");
  EXPECT_EQ(tester.Shapes("ISTFT-16", {F32({9, 5, 2}), F32({16}), Int(16),
                                       Int(8), Int(40)}),
            "f32[40]");
  EXPECT_THAT(tester.Error("ISTFT-16", {F32({8, 5, 2}), F32({16}), Int(16),
                                        Int(8)}),
              HasSubstr("want 9 frequencies"));
}

}  // namespace
}  // namespace dovetail
