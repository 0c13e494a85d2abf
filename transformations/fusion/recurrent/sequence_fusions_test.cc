#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/recurrent/rules.h"
#include "dovetail/transformations/fusion/common/fusion_pass.h"
#include "dovetail/transformations/fusion/recurrent/rules.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

int CountOf(const Model& model, absl::string_view type) {
  return static_cast<int>(std::count_if(
      model.nodes().begin(), model.nodes().end(),
      [&](const auto& node) { return node->Is(OpType::Named(type)); }));
}

// A sequence, said as a loop by the decomposition, becomes one again.
void ComesBack(const std::string& type, int gates,
               const std::string& direction, const std::string& attributes) {
  SCOPED_TRACE(type + " " + direction);
  const bool is_lstm = absl::StartsWith(type, "LSTM");
  const std::string states = "[2,1,3], element_type: f32}\n";
  Model model = ParseOrFail(absl::StrCat(
      "%x = Parameter-0() {shape: [2,4,2], element_type: f32}\n",
      "%h = Parameter-0() {shape: ", states,
      "%c = Parameter-0() {shape: ", states,
      "%w = Parameter-0() {shape: [1,", gates * 3, ",2], element_type: f32}\n",
      "%r = Parameter-0() {shape: [1,", gates * 3, ",3], element_type: f32}\n",
      "%b = Parameter-0() {shape: [1,", gates * 3, "], element_type: f32}\n",
      "%n = Constant-0() {value: i32[2] {4, 4}}\n", "%y = ", type, "(%x, %h, ",
      is_lstm ? "%c, " : "", "%n, %w, %r, %b) {hidden_size: 3, direction: ",
      direction, attributes, "}\n%0 = Result-0(%y) {}\n",
      "%1 = Result-0(%y:1) {}\n", is_lstm ? "%2 = Result-0(%y:2) {}\n" : ""));
  const auto original = model.Clone();
  const NodeRules loops(SequenceDecompositions());
  ASSERT_TRUE(loops.Apply(model, IsNone).value());
  ASSERT_EQ(CountOf(model, "TensorIterator"), 1);
  FusionPass pass("test", {&SequenceFusions});
  ASSERT_TRUE(pass.Run(model).value());
  EXPECT_TRUE(model.Verify().ok());
  EXPECT_EQ(CountOf(model, "TensorIterator"), 0);
  EXPECT_EQ(CountOf(model, type.substr(0, type.find('-'))), 1);
  ExpectSameResults(*original, model, 1e-5);
}

TEST(SequenceFusionsTest, EveryCellBothWays) {
  for (const char* direction : {"forward", "reverse"}) {
    ComesBack("LSTMSequence-5", 4, direction, "");
    ComesBack("GRUSequence-5", 3, direction, ", clip: 2");
    ComesBack("RNNSequence-5", 1, direction, ", activations: [\"relu\"]");
  }
}

TEST(SequenceFusionsTest, LengthsOfTheirOwnStayALoop) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2,4,2], element_type: f32}
    %h = Parameter-0() {shape: [2,1,3], element_type: f32}
    %w = Parameter-0() {shape: [1,3,2], element_type: f32}
    %r = Parameter-0() {shape: [1,3,3], element_type: f32}
    %b = Parameter-0() {shape: [1,3], element_type: f32}
    %n = Constant-0() {value: i32[2] {4, 2}}
    %y = RNNSequence-5(%x, %h, %n, %w, %r, %b) {hidden_size: 3}
    %0 = Result-0(%y) {})");
  const NodeRules loops(SequenceDecompositions());
  ASSERT_TRUE(loops.Apply(model, IsNone).value());
  FusionPass pass("test", {&SequenceFusions});
  EXPECT_FALSE(pass.Run(model).value());
}

}  // namespace
}  // namespace dovetail
