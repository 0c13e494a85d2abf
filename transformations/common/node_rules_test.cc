#include "dovetail/transformations/common/node_rules.h"

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

Replacement AddItself(NodeBuilder& b, const Node&) {
  return {b.Add(b.input(0), b.Multiply(b.input(0), 1.0))};
}
Replacement Input(NodeBuilder& b, const Node&) { return {b.input(0)}; }
Replacement Decline(NodeBuilder& b, const Node&) {
  b.Add(b.input(0), 1.0);
  return {};
}
Replacement Itself(NodeBuilder& b, const Node& node) {
  return {b.MakeLike(OpType::Named(node.op().type), node.inputs())};
}
Replacement Wrong(NodeBuilder& b, const Node&) {
  return {b.Make("Convert", {b.input(0)}, {{"type", 1}})};
}
Replacement OtherType(NodeBuilder& b, const Node&) {
  return {b.Convert(b.input(0), ElementType::kI32)};
}
Replacement Constant(NodeBuilder& b, const Node&) {
  return {b.Multiply(b.Dims(b.input(0), 0, 2), b.ShapeOf(b.input(0)))};
}

constexpr char kModel[] = R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %a = Abs-0(%x) {}  # a
    %y = Relu-0(%a) {}  # y
    %r = Result-0(%y) {}  # r)";

NodeRules Rules(const std::vector<NodeRule>& rules) { return NodeRules(rules); }

// Applies one rule for Relu to kModel.
absl::StatusOr<bool> ApplyTo(Model& model, NodeRule::MakeFn make,
                             const NodePredicate& is_native = IsNone) {
  return Rules({NodeRule("Relu-0", "rule", make)}).Apply(model, is_native);
}

TEST(NodeRulesTest, NewNodesStandForTheOldOne) {
  Model model = ParseOrFail(kModel);
  EXPECT_TRUE(*ApplyTo(model, &AddItself));
  EXPECT_EQ(model.FindNode("y")->op().type, "Add");
  for (const auto& node : model.nodes()) {
    if (node->Is("Multiply") || node->Is("Add")) {
      EXPECT_EQ(FusedNames(*node), std::set<std::string>{"y"});
    }
  }
  EXPECT_EQ(model.OutputName(0), "y");
  EXPECT_TRUE(model.Verify().ok());
}

TEST(NodeRulesTest, NativeNodesStay) {
  Model model = ParseOrFail(kModel);
  EXPECT_FALSE(*ApplyTo(model, &AddItself, IsOneOf({"Relu"})));
  EXPECT_FALSE(*ApplyTo(model, &AddItself, IsOneOf({"Relu-0"})));
  EXPECT_TRUE(*ApplyTo(model, &AddItself, IsOneOf({"PRelu-0", "Abs"})));
}

TEST(NodeRulesTest, WhatIsDeclinedLeavesNothing) {
  Model model = ParseOrFail(kModel);
  const std::string before = model.ToString();
  EXPECT_FALSE(*ApplyTo(model, &Decline));
  EXPECT_EQ(model.ToString(), before);
}

TEST(NodeRulesTest, TheNextRuleIsTried) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %y = Gelu-0(%x) {}  # y
    %r = Result-0(%y) {})");
  const NodeRules rules =
      Rules({{"Gelu", 0, "first", &Decline},
             {"Gelu", 7, "other version", &Wrong},
             {"Gelu", NodeRule::kAnyVersion, "next", &AddItself}});
  EXPECT_TRUE(*rules.Apply(model, IsNone));
  EXPECT_EQ(model.FindNode("y")->op().type, "Add");
}

TEST(NodeRulesTest, WhatIsNewIsReplacedToo) {
  Model model = ParseOrFail(kModel);
  const NodeRules rules = Rules(
      {{"Relu", 0, "sum", &AddItself}, {"Multiply", 1, "nothing", &Input}});
  EXPECT_TRUE(*rules.Apply(model, IsNone));
  model.RemoveUnused();
  EXPECT_EQ(model.node_count(), 4u) << model.ToString();
}

TEST(NodeRulesTest, OutputsKeepTheirNames) {
  // %a gives its place as the output to nothing, as it is one itself.
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Abs-0(%x) {} : f32[2] "abs"
    %y = Relu-0(%a) {} : f32[2] "relu"
    %q = Result-0(%a) {}
    %r = Result-0(%y) {})");
  EXPECT_TRUE(*ApplyTo(model, &Input));
  EXPECT_EQ(model.OutputName(0), "abs");
  EXPECT_EQ(model.OutputName(1), "relu");
}

TEST(NodeRulesTest, ChangesBodies) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %y = TensorIterator-0(%x) {} : f32[2,3]
      body "b" inputs {0->0 axis=0 start=0 end=-1 stride=1 part_size=1} outputs {0->0 axis=0 start=0 end=-1 stride=1 part_size=1} back_edges {} {
        %p = Parameter-0() {shape: [1,3], element_type: f32}
        %q = Relu-0(%p) {}
        %s = Result-0(%q) {}
      }
    %r = Result-0(%y) {})");
  EXPECT_TRUE(*ApplyTo(model, &AddItself));
  EXPECT_EQ(model.ToString().find("Relu-0("), std::string::npos);
}

TEST(NodeRulesTest, KnownIntegersAreConstants) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %y = ShapeOf-3(%x) {}
    %r = Result-0(%y) {})");
  const NodeRules rules = Rules({{"ShapeOf", 3, "squares", &Constant}});
  EXPECT_TRUE(*rules.Apply(model, IsOneOf({"Multiply"})));
  model.RemoveUnused();
  EXPECT_EQ(model.node_count(), 3u) << model.ToString();
}

TEST(NodeRulesTest, ExtentsThatCannotBeAreLeftAlone) {
  for (const char* const extent :
       {"4611686018427387904", "1125899906842624.."}) {
    Model model = ParseOrFail(absl::StrCat(
        "%x = Parameter-0() {shape: [0,", extent, "], element_type: f32}\n",
        "%y = Relu-0(%x) {}\n%r = Result-0(%y) {}"));
    EXPECT_FALSE(*ApplyTo(model, &AddItself)) << extent;
  }
}

TEST(NodeRulesTest, BadRulesAreErrors) {
  const auto message = [](Replacement (*make)(NodeBuilder&, const Node&)) {
    Model model = ParseOrFail(kModel);
    const absl::Status status = ApplyTo(model, make).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
    return std::string(status.message());
  };
  EXPECT_NE(message(&Itself).find("in a circle"), std::string::npos);
  EXPECT_EQ(message(&Wrong),
            "layer 'y' (Relu-0): rule 'rule': there is no attribute 'type' to "
            "set");
  EXPECT_EQ(message(&OtherType),
            "layer 'y' (Relu-0): rule 'rule': the type or shape of output 0 "
            "differs: i32[2] for f32[2]");
}

}  // namespace
}  // namespace dovetail
