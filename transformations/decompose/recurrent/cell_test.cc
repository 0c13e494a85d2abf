#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/recurrent/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(CellDecompositions());

// A cell of 2 inputs and 3 states with the given number of rows of W, elements
// of B and inputs after R: "%b" or "%b, %p" or nothing.
void Check(absl::string_view type, int gates, int bias,
           absl::string_view attributes, absl::string_view rest = ", %b",
           absl::string_view batch = "2") {
  const bool is_lstm = absl::string_view(type).substr(0, 4) == "LSTM";
  const int rows = gates * 3;
  const auto parameter = [](absl::string_view name, absl::string_view shape) {
    return absl::StrCat("%", name, " = Parameter-0() {shape: [", shape,
                        "], element_type: f32}\n");
  };
  check.ExpectReplaced(
      type.substr(0, type.find('-')),
      absl::StrCat(
          parameter("x", absl::StrCat(batch, ",2")),
          parameter("h", absl::StrCat(batch, ",3")),
          parameter("c", absl::StrCat(batch, ",3")),
          parameter("w", absl::StrCat(rows, ",2")),
          parameter("r", absl::StrCat(rows, ",3")),
          parameter("b", absl::StrCat(bias * 3)), parameter("p", "9"),
          "%y = ", type, "(%x, %h, ", is_lstm ? "%c, " : "", "%w, %r", rest,
          ") {hidden_size: 3", attributes, "}\n%0 = Result-0(%y) {}\n",
          is_lstm ? "%1 = Result-0(%y:1) {}\n" : ""));
}

TEST(CellDecompositionsTest, Rnn) {
  Check("RNNCell-0", 1, 1, "");
  Check("RNNCell-0", 1, 1, "", "", "?");
  Check("RNNCell-0", 1, 1,
        R"(, activations: ["HardSigmoid"], activations_alpha: [0.3],
        activations_beta: [0.4], clip: 1.5)");
}

TEST(CellDecompositionsTest, Gru) {
  Check("GRUCell-3", 3, 3, "");
  Check("GRUCell-3", 3, 3, R"(, activations: ["relu", "sigmoid"], clip: 0.5)",
        "", "?");
  Check("GRUCell-3", 3, 4, ", linear_before_reset: true");
  Check("GRUCell-3", 3, 4, ", linear_before_reset: true, clip: 2", "", "?");
}

TEST(CellDecompositionsTest, Lstm) {
  Check("LSTMCell-4", 4, 4, "");
  Check("LSTMCell-4", 4, 4, ", clip: 0.75", "", "?");
  Check("LSTMCell-4", 4, 4, R"(, activations: ["tanh", "relu", "sigmoid"])");
}

TEST(CellDecompositionsTest, LstmOfVersion0) {
  for (absl::string_view order : {"fico", "icof", "ifco", "ifoc", "iofc"}) {
    Check("LSTMCell-0", 4, 4, absl::StrCat(", weights_format: ", order),
          ", %b, %p");
  }
  Check("LSTMCell-0", 4, 4, ", input_forget: true", ", %b, %p", "?");
  Check("LSTMCell-0", 4, 4, ", clip: 1");
}

}  // namespace
}  // namespace dovetail
