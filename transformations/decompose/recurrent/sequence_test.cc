#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/recurrent/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(SequenceDecompositions());

// Two sequences of data of that shape (with 2 inputs and 3 states), with these
// lengths, in a direction.
void Check(absl::string_view type, int gates, absl::string_view data,
           absl::string_view lengths, absl::string_view direction,
           absl::string_view attributes = "", absl::string_view rest = "") {
  const bool is_lstm = absl::string_view(type).substr(0, 4) == "LSTM";
  const int directions = direction == "bidirectional" ? 2 : 1;
  const auto parameter = [](absl::string_view name, absl::string_view shape) {
    return absl::StrCat("%", name, " = Parameter-0() {shape: [", shape,
                        "], element_type: f32}\n");
  };
  check.ExpectReplaced(
      type.substr(0, type.find('-')),
      absl::StrCat(
          parameter("x", data), parameter("h", absl::StrCat("2,", directions,
                                                            ",3")),
          parameter("c", absl::StrCat("2,", directions, ",3")),
          parameter("w", absl::StrCat(directions, ",", gates * 3, ",2")),
          parameter("r", absl::StrCat(directions, ",", gates * 3, ",3")),
          parameter("b", absl::StrCat(directions, ",", gates * 3)),
          parameter("p", absl::StrCat(directions, ",9")),
          "%n = Constant-0() {value: i32[2] {", lengths, "}}\n",
          "%y = ", type, "(%x, %h, ", is_lstm ? "%c, " : "", "%n, %w, %r, %b",
          rest, ") {hidden_size: 3, direction: ", direction, attributes,
          "}\n%0 = Result-0(%y) {}\n%1 = Result-0(%y:1) {}\n",
          is_lstm ? "%2 = Result-0(%y:2) {}\n" : ""));
}

TEST(SequenceDecompositionsTest, AllSteps) {
  for (absl::string_view direction : {"forward", "reverse", "bidirectional"}) {
    Check("RNNSequence-5", 1, "2,4,2", "4, 4", direction);
    Check("GRUSequence-5", 3, "2,4,2", "4, 4", direction, ", clip: 2");
    Check("LSTMSequence-5", 4, "2,4,2", "4, 4", direction);
  }
}

TEST(SequenceDecompositionsTest, LengthsOfTheirOwn) {
  for (absl::string_view direction : {"forward", "reverse", "bidirectional"}) {
    Check("RNNSequence-5", 1, "2,4,2", "4, 2", direction);
    Check("GRUSequence-5", 3, "2,4,2", "1, 3", direction);
    Check("LSTMSequence-5", 4, "2,4,2", "3, 0", direction);
    Check("LSTMSequence-5", 4, "2,?,2", "2, 1", direction);
    Check("GRUSequence-5", 3, "1..2,?,2", "2, 2", direction);
  }
}

TEST(SequenceDecompositionsTest, LstmOfVersion0) {
  Check("LSTMSequence-0", 4, "2,3,2", "3, 3", "forward",
        ", input_forget: true, weights_format: iofc", ", %p");
  Check("LSTMSequence-0", 4, "2,3,2", "1, 2", "bidirectional", ", clip: 1",
        ", %p");
}

}  // namespace
}  // namespace dovetail
