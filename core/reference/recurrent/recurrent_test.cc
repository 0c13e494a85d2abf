// What recurrent cells and sequences compute. Most use relu, so that the values
// can be worked out by hand.
#include "dovetail/core/ops/recurrent/table.h"
#include "dovetail/core/reference/recurrent/table.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

const OpTester tester(RecurrentOps(), RecurrentKernels());

TEST(RnnCellTest, SumsAndActivates) {
  const std::vector<Tensor> inputs = {
      Floats({1, 1}, {1}), Floats({1, 1}, {2}), Floats({1, 1}, {4}),
      Floats({1, 1}, {3}), Floats({1}, {5})};
  const auto run = [&](TextAttributes attributes) {
    attributes["hidden_size"] = "1";
    return tester.Run("RNNCell-0", inputs, attributes);
  };
  EXPECT_EQ(run({{"activations", "relu"}}), "f32[1,1] {15}");
  EXPECT_EQ(run({{"activations", "ReLU"}, {"clip", "6"}}), "f32[1,1] {6}");
  EXPECT_EQ(run({{"activations", "relu"}, {"clip", "inf"}}), "f32[1,1] {15}");
  EXPECT_EQ(run({{"activations", "hardsigmoid"},
                 {"activations_alpha", "0.05"},
                 {"activations_beta", "-0.25"}}),
            "f32[1,1] {0.5}");
}

TEST(RnnCellTest, TanhIsTheDefault) {
  ExpectNear(tester.Outputs("RNNCell-0",
                            {Floats({1, 1}, {0.5}), Floats({1, 1}, {0}),
                             Floats({1, 1}, {1}), Floats({1, 1}, {1})},
                            {{"hidden_size", "1"}}),
             {0.46211716});
}

TEST(RnnCellTest, HalfPrecisionIsComputedAsFloats) {
  const auto half = [](const Shape& shape, const std::vector<double>& values) {
    return TensorOf(ElementType::kF16, shape, values);
  };
  EXPECT_EQ(tester.Run("RNNCell-0",
                       {half({1, 2}, {1, 2}), half({1, 1}, {3}),
                        half({1, 2}, {4, 5}), half({1, 1}, {6})},
                       {{"hidden_size", "1"}, {"activations", "relu"}}),
            "f16[1,1] {32}");
}

// Gates: 1, 2, 3, 4 in the order of the weights.
std::string Lstm(absl::string_view op, TextAttributes attributes,
                 std::vector<Tensor> more = {}) {
  std::vector<Tensor> inputs = {Floats({1, 1}, {1}), Floats({1, 1}, {0}),
                                Floats({1, 1}, {2}),
                                Floats({4, 1}, {1, 2, 3, 4}),
                                Floats({4, 1}, {0, 0, 0, 0})};
  inputs.insert(inputs.end(), more.begin(), more.end());
  attributes["hidden_size"] = "1";
  attributes["activations"] = "relu,relu,relu";
  return tester.Run(op, inputs, attributes);
}

TEST(LstmCellTest, GatesAreForgetInputCellOutput) {
  // C = 1 * 2 + 2 * 3, H = 4 * C
  EXPECT_EQ(Lstm("LSTMCell-4", {}), "f32[1,1] {32}; f32[1,1] {8}");
  // f 2, i 3, c 4, o 5
  EXPECT_EQ(Lstm("LSTMCell-4", {}, {Floats({4}, {1, 1, 1, 1})}),
            "f32[1,1] {80}; f32[1,1] {16}");
  // Gates are clipped (o is 3.5), the state is not.
  EXPECT_EQ(Lstm("LSTMCell-4", {{"clip", "3.5"}}),
            "f32[1,1] {28}; f32[1,1] {8}");
}

TEST(LstmCellTest, WeightsHaveTheOrderOfTheirFormat) {
  const auto run = [](absl::string_view format) {
    return Lstm("LSTMCell-0",
                {{"weights_format", std::string(format.data(), 4)}});
  };
  EXPECT_EQ(run("fico"), "f32[1,1] {32}; f32[1,1] {8}");
  // f 4, i 1, c 2, o 3: C = 8 + 2
  EXPECT_EQ(run("icof"), "f32[1,1] {30}; f32[1,1] {10}");
  // f 2, i 1, c 3, o 4: C = 4 + 3
  EXPECT_EQ(run("ifco"), "f32[1,1] {28}; f32[1,1] {7}");
  // f 2, i 1, c 4, o 3: C = 4 + 4
  EXPECT_EQ(run("ifoc"), "f32[1,1] {24}; f32[1,1] {8}");
  // f 3, i 1, c 4, o 2: C = 6 + 4
  EXPECT_EQ(run("iofc"), "f32[1,1] {20}; f32[1,1] {10}");
}

TEST(LstmCellTest, CoupledGatesAndPeepholes) {
  const Tensor bias = Floats({4}, {0, 0, 0, 0});
  // f = 1 - i = -1: C = -2 + 6
  EXPECT_EQ(Lstm("LSTMCell-0", {{"input_forget", "true"}}, {bias}),
            "f32[1,1] {16}; f32[1,1] {4}");
  // i = 2 + 1 * 2 = 4, f = 1 + 3 * 2 = 7: C = 14 + 12; o = 4 + 2 * C = 56
  EXPECT_EQ(Lstm("LSTMCell-0", {}, {bias, Floats({3}, {1, 2, 3})}),
            "f32[1,1] {1456}; f32[1,1] {26}");
}

// Update gate 0.5, reset gate 2, new gate: 1 from the data.
std::string Gru(const std::vector<double>& bias, TextAttributes attributes) {
  attributes["hidden_size"] = "1";
  attributes["activations"] = "relu,relu";
  return tester.Run(
      "GRUCell-3",
      {Floats({1, 1}, {1}), Floats({1, 1}, {4}), Floats({3, 1}, {0.5, 2, 1}),
       Floats({3, 1}, {0, 0, 1}),
       Floats({static_cast<int64_t>(bias.size())}, bias)},
      attributes);
}

TEST(GruCellTest, ResetsBeforeOrAfterTheProduct) {
  // new = 1 + (2 * 4) * 1 = 9, H = 0.5 * 9 + 0.5 * 4
  EXPECT_EQ(Gru({0, 0, 0}, {}), "f32[1,1] {6.5}");
  // new = 1 + 2 * (4 + 3) + 10 = 25
  EXPECT_EQ(Gru({0, 0, 10, 3}, {{"linear_before_reset", "true"}}),
            "f32[1,1] {14.5}");
  // The new gate is cut to 3.
  EXPECT_EQ(Gru({0, 0, 0}, {{"clip", "3"}}), "f32[1,1] {3.5}");
}

// Sums up the steps: two batches, of which the second has `lengths` steps.
std::string Sums(absl::string_view direction, double length) {
  return tester.Run(
      "RNNSequence-5",
      {Floats({2, 3, 1}, {1, 2, 3, 4, 5, 6}), Floats({2, 1, 1}, {10, 20}),
       Int32s({2}, {3, length}), Floats({1, 1, 1}, {1}),
       Floats({1, 1, 1}, {1}), Floats({1, 1}, {0})},
      {{"hidden_size", "1"},
       {"activations", "relu"},
       {"direction", std::string(direction.data(), direction.size())}});
}

TEST(SequenceTest, StopsAtTheLength) {
  EXPECT_EQ(Sums("forward", 2),
            "f32[2,1,3,1] {11, 13, 16, 24, 29, 0}; f32[2,1,1] {16, 29}");
  EXPECT_EQ(Sums("forward", 0),
            "f32[2,1,3,1] {11, 13, 16, 0, 0, 0}; f32[2,1,1] {16, 0}");
}

TEST(SequenceTest, ReverseBeginsWithTheLastStep) {
  EXPECT_EQ(Sums("reverse", 2),
            "f32[2,1,3,1] {16, 15, 13, 29, 25, 0}; f32[2,1,1] {16, 29}");
}

TEST(SequenceTest, RefusesLengthsThatAreNotThere) {
  EXPECT_THAT(Sums("forward", 4),
              HasSubstr("input 2 gives batch 1 a length of 4, want 0 to 3"));
  EXPECT_THAT(Sums("forward", -1), HasSubstr("a length of -1"));
}

TEST(SequenceTest, DirectionsHaveWeightsOfTheirOwn) {
  // Forward sums the steps, backward twice the steps.
  EXPECT_EQ(tester.Run("RNNSequence-5",
                       {Floats({1, 3, 1}, {1, 2, 3}), Floats({1, 2, 1}, {0, 5}),
                        Int64s({1}, {3}), Floats({2, 1, 1}, {1, 2}),
                        Floats({2, 1, 1}, {1, 1}), Floats({2, 1}, {0, 0})},
                       {{"hidden_size", "1"},
                        {"activations", "relu"},
                        {"direction", "bidirectional"}}),
            "f32[1,2,3,1] {1, 3, 6, 17, 15, 11}; f32[1,2,1] {6, 17}");
}

TEST(SequenceTest, LstmKeepsItsCell) {
  // f 1, i 1, c x, o 1 by the bias: C sums the steps, H is C.
  EXPECT_EQ(tester.Run(
                "LSTMSequence-5",
                {Floats({1, 3, 1}, {1, 2, 3}), Floats({1, 1, 1}, {0}),
                 Floats({1, 1, 1}, {7}), Int32s({1}, {2}),
                 Floats({1, 4, 1}, {0, 0, 1, 0}),
                 Floats({1, 4, 1}, {0, 0, 0, 0}), Floats({1, 4}, {1, 1, 0, 1})},
                {{"hidden_size", "1"}, {"activations", "relu,relu,relu"}}),
            "f32[1,1,3,1] {8, 10, 0}; f32[1,1,1] {10}; f32[1,1,1] {10}");
}

TEST(SequenceTest, GruResetsBatchByBatch) {
  // z 0.5, r 1, new = x + h: H = (x + h) / 2 + h / 2 = x / 2 + h
  EXPECT_EQ(
      tester.Run("GRUSequence-5",
                 {Floats({2, 2, 1}, {2, 4, 6, 8}), Floats({2, 1, 1}, {1, 2}),
                  Int32s({2}, {2, 1}), Floats({1, 3, 1}, {0, 0, 1}),
                  Floats({1, 3, 1}, {0, 0, 1}), Floats({1, 3}, {0.5, 1, 0})},
                 {{"hidden_size", "1"}, {"activations", "relu,relu"}}),
      "f32[2,1,2,1] {2, 4, 5, 0}; f32[2,1,1] {4, 5}");
}

TEST(SequenceTest, OfNoStepsAndNoBatches) {
  const auto run = [](int64_t batch, int64_t time) {
    return tester.Run(
        "RNNSequence-5",
        {Floats({batch, time, 1}, {}),
         Floats({batch, 1, 1}, std::vector<double>(batch, 3)),
         Int32s({batch}, std::vector<double>(batch, 0)), Floats({1, 1, 1}, {1}),
         Floats({1, 1, 1}, {1}), Floats({1, 1}, {0})},
        {{"hidden_size", "1"}});
  };
  EXPECT_EQ(run(1, 0), "f32[1,1,0,1] {}; f32[1,1,1] {0}");
  EXPECT_EQ(run(0, 2), "f32[0,1,2,1] {}; f32[0,1,1] {}");
}

}  // namespace
}  // namespace dovetail
