#include "dovetail/backends/gpu/steps/recurrent/recurrent.h"

#include <string>

#include "absl/strings/substitute.h"
#include "dovetail/backends/gpu/testing/plan_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::HasSubstr;

class RecurrentTest : public PlanTest {
 protected:
  // A batch of 2, 5 steps of 7 inputs, 19 units; `gates` of the weights and
  // `biases` of the bias.
  void CheckSequence(const std::string& type, int gates, int biases,
                     const std::string& attributes, int directions,
                     const std::string& kernel) {
    const bool is_lstm = type == "LSTMSequence";
    const std::string model = absl::Substitute(
        R"(
      %x = Parameter-0() {shape: [2,5,7], element_type: f32}
      %h = Parameter-0() {shape: [2,$3,19], element_type: f32}
      $7
      %l = Constant-0() {value: i32[2] {5,3}}
      %w = Parameter-0() {shape: [$3,$1,7], element_type: f32}  # constant
      %r = Parameter-0() {shape: [$3,$1,19], element_type: f32}  # constant
      %b = Parameter-0() {shape: [$3,$2], element_type: f32}  # constant
      %y = $0-5(%x, %h, $5%l, %w, %r, %b) {hidden_size: 19, $4}
      %0 = Result-0(%y:0) {}
      %1 = Result-0(%y:1) {}
      $6
      )",
        type, gates * 19, biases * 19, directions, attributes,
        is_lstm ? "%c, " : "", is_lstm ? "%2 = Result-0(%y:2) {}" : "",
        is_lstm ? absl::Substitute("%c = Parameter-0() {shape: "
                                   "[2,$0,19], element_type: f32}",
                                   directions)
                : "");
    ExpectPlan(model, HasSubstr(kernel));
  }
};

TEST_F(RecurrentTest, Sequences) {
  CheckSequence("LSTMSequence", 4, 4, "direction: bidirectional", 2,
                "lstm_steps_f32");
  CheckSequence("GRUSequence", 3, 3, "direction: forward", 1, "gru_steps_f32");
  CheckSequence("GRUSequence", 3, 4,
                "direction: reverse, linear_before_reset: true", 1,
                "gru_steps_f32");
  CheckSequence("RNNSequence", 1, 1, "direction: reverse", 1, "rnn_steps_f32");
}

TEST_F(RecurrentTest, FunctionsAndClips) {
  CheckSequence("LSTMSequence", 4, 4,
                "direction: forward, clip: 0.5, "
                "activations: [\"hardsigmoid\", \"relu\", \"sigmoid\"], "
                "activations_alpha: [0.2], activations_beta: [0.5]",
                1, "lstm_steps_f32");
}

TEST_F(RecurrentTest, ACellIsASequenceOfOneStep) {
  ExpectPlan(R"(
      %x = Parameter-0() {shape: [3,8], element_type: f32}
      %h = Parameter-0() {shape: [3,33], element_type: f32}
      %w = Parameter-0() {shape: [99,8], element_type: f32}  # constant
      %r = Parameter-0() {shape: [99,33], element_type: f32}  # constant
      %y = GRUCell-3(%x, %h, %w, %r) {hidden_size: 33}
      %0 = Result-0(%y) {}
      )",
             HasSubstr("gru_steps_f32"));
}

}  // namespace
}  // namespace dovetail::gpu
