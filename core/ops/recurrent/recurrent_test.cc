// What recurrent cells and sequences infer and refuse.
#include "dovetail/core/ops/recurrent/table.h"
#include "dovetail/core/ops/testing/infer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const InferTester tester(RecurrentOps());
const TextAttributes kSize4 = {{"hidden_size", "4"}};

// `extra` on top of a hidden_size of 4.
TextAttributes With(TextAttributes extra) {
  extra.insert(kSize4.begin(), kSize4.end());
  return extra;
}

// Inputs of cells with `gates` for B 2, I 5, S 4.
std::vector<InputSpec> Cell(int64_t gates, bool lstm = false) {
  std::vector<InputSpec> inputs = {F32({2, 5}), F32({2, 4})};
  if (lstm) inputs.push_back(F32({2, 4}));
  inputs.push_back(F32({gates * 4, 5}));
  inputs.push_back(F32({gates * 4, 4}));
  inputs.push_back(F32({gates * 4}));
  return inputs;
}

// Inputs of sequences for T 7, D `directions` besides.
std::vector<InputSpec> Sequence(int64_t gates, bool lstm = false,
                                int64_t directions = 1) {
  const InputSpec state = F32({2, directions, 4});
  std::vector<InputSpec> inputs = {F32({2, 7, 5}), state};
  if (lstm) inputs.push_back(state);
  inputs.push_back(I32({2}));
  inputs.push_back(F32({directions, gates * 4, 5}));
  inputs.push_back(F32({directions, gates * 4, 4}));
  inputs.push_back(F32({directions, gates * 4}));
  return inputs;
}

TEST(CellTest, GivesStates) {
  EXPECT_EQ(tester.Shapes("RNNCell-0", Cell(1), kSize4), "f32[2,4]");
  EXPECT_EQ(tester.Shapes("GRUCell-3", Cell(3), kSize4), "f32[2,4]");
  EXPECT_EQ(tester.Shapes("LSTMCell-0", Cell(4, true), kSize4),
            "f32[2,4] f32[2,4]");
  EXPECT_EQ(tester.Shapes("LSTMCell-4", Cell(4, true), kSize4),
            "f32[2,4] f32[2,4]");
}

TEST(CellTest, BiasAndPeepholesAreOptional) {
  std::vector<InputSpec> inputs = Cell(4, true);
  inputs.push_back(F32({12}));
  EXPECT_EQ(tester.Shapes("LSTMCell-0", inputs, kSize4),
            "f32[2,4] f32[2,4]");
  EXPECT_THAT(tester.Error("LSTMCell-4", inputs, kSize4),
              HasSubstr("7 inputs"));
  inputs.resize(5);
  EXPECT_EQ(tester.Shapes("LSTMCell-4", inputs, kSize4),
            "f32[2,4] f32[2,4]");
}

TEST(CellTest, TheBiasOfALinearGruHasAFourthPart) {
  std::vector<InputSpec> inputs = Cell(3);
  const TextAttributes linear = With({{"linear_before_reset", "true"}});
  EXPECT_THAT(tester.Error("GRUCell-3", inputs, linear),
              HasSubstr("input 4 has shape [12], want 16 in axis 0"));
  inputs.back() = F32({16});
  EXPECT_EQ(tester.Shapes("GRUCell-3", inputs, linear), "f32[2,4]");
  EXPECT_THAT(tester.Error("GRUCell-3", inputs, kSize4),
              HasSubstr("want 12"));
}

TEST(CellTest, FindsTheBatchWhereverItIsKnown) {
  const PartialShape any;
  EXPECT_EQ(tester.Shapes("RNNCell-0",
                          {F32(any), F32({-1, 4}), F32(any), F32(any)},
                          kSize4),
            "f32[?,4]");
  EXPECT_EQ(tester.Shapes("RNNCell-0",
                          {F32({Dimension(1, 8), 5}),
                           F32({Dimension(3, 9), -1}), F32({4, -1}), F32(any)},
                          kSize4),
            "f32[3..8,4]");
}

TEST(CellTest, RefusesWrongInputs) {
  std::vector<InputSpec> inputs = Cell(3);
  inputs[1] = F32({3, 4});
  EXPECT_THAT(tester.Error("GRUCell-3", inputs, kSize4),
              HasSubstr("input 1 has shape [3,4], want 2 in axis 0, which is "
                        "the batch"));
  inputs = Cell(3);
  inputs[2] = F32({12, 6});
  EXPECT_THAT(tester.Error("GRUCell-3", inputs, kSize4),
              HasSubstr("want 5 in axis 1, which is the input size"));
  inputs = Cell(3);
  inputs[0] = F32({2, 7, 5});
  EXPECT_THAT(tester.Error("GRUCell-3", inputs, kSize4),
              HasSubstr("input 0 has shape [2,7,5], want rank 2"));
  inputs = Cell(3);
  inputs[3] = Typed(ElementType::kF16, {12, 4});
  EXPECT_THAT(tester.Error("GRUCell-3", inputs, kSize4),
              HasSubstr("input 3 has type f16"));
}

TEST(CellTest, RefusesWrongAttributes) {
  EXPECT_THAT(tester.Error("RNNCell-0", Cell(1)),
              HasSubstr("hidden_size is 0"));
  EXPECT_THAT(tester.Error("RNNCell-0", Cell(1), With({{"clip", "-1"}})),
              HasSubstr("clip is -1"));
  EXPECT_THAT(
      tester.Error("RNNCell-0", Cell(1), With({{"activations", "sine"}})),
      HasSubstr("'sine' is none of sigmoid, tanh, relu, hardsigmoid"));
  EXPECT_THAT(
      tester.Error("GRUCell-3", Cell(3), With({{"activations", "tanh"}})),
      HasSubstr("activations has 1 names, want 2"));
}

TEST(SequenceTest, GivesEveryStepAndTheLastStates) {
  const TextAttributes both = With({{"direction", "bidirectional"}});
  EXPECT_EQ(tester.Shapes("RNNSequence-5", Sequence(1), kSize4),
            "f32[2,1,7,4] f32[2,1,4]");
  EXPECT_EQ(tester.Shapes("GRUSequence-5", Sequence(3, false, 2), both),
            "f32[2,2,7,4] f32[2,2,4]");
  EXPECT_EQ(tester.Shapes("LSTMSequence-5", Sequence(4, true, 2), both),
            "f32[2,2,7,4] f32[2,2,4] f32[2,2,4]");
  EXPECT_EQ(tester.Shapes("LSTMSequence-0", Sequence(4, true), kSize4),
            "f32[2,1,7,4] f32[2,1,4] f32[2,1,4]");
}

TEST(SequenceTest, DynamicInputs) {
  std::vector<InputSpec> inputs = Sequence(1);
  inputs[0] = F32({-1, Dimension(2, 9), -1});
  EXPECT_EQ(tester.Shapes("RNNSequence-5", inputs, kSize4),
            "f32[2,1,2..9,4] f32[2,1,4]");
  for (InputSpec& input : inputs) input.shape = PartialShape();
  EXPECT_EQ(tester.Shapes("RNNSequence-5", inputs, kSize4),
            "f32[?,1,?,4] f32[?,1,4]");
}

TEST(SequenceTest, RefusesWrongInputs) {
  EXPECT_THAT(tester.Error("RNNSequence-5", Sequence(1),
                           With({{"direction", "bidirectional"}})),
              HasSubstr("want 2 in axis 1, which is the number of directions"));
  std::vector<InputSpec> inputs = Sequence(1);
  inputs[2] = Boolean({2});
  EXPECT_THAT(tester.Error("RNNSequence-5", inputs, kSize4),
              HasSubstr("input 2 has type boolean"));
  inputs[2] = I64({3});
  EXPECT_THAT(tester.Error("RNNSequence-5", inputs, kSize4),
              HasSubstr("input 2 has shape [3], want 2 in axis 0"));
}

}  // namespace
}  // namespace dovetail
