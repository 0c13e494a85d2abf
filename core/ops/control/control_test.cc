// What branches and loops infer, with what is inside of their bodies.
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/control/slices.h"
#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

std::string Message(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

// The types and shapes of the node called "n"; the error when there is one.
std::string Outputs(const std::string& text) {
  const auto model = ParseModelText(text);
  if (!model.ok()) return Message(model.status());
  std::string outputs;
  const Node* node = model->FindNode("n");
  for (int i = 0; i < node->output_count(); ++i) {
    absl::StrAppend(&outputs, i == 0 ? "" : " ",
                    ElementTypeName(node->port(i).type),
                    node->port(i).shape.ToString());
  }
  return outputs;
}

// ---- Slices ----

std::string Cut(const Slicing& slicing, int64_t extent) {
  const auto parts = CutIntoParts(slicing, extent);
  if (!parts.ok()) return Message(parts.status());
  return absl::StrCat(parts->count, " from ", parts->first, " by ",
                      parts->step);
}

TEST(CutIntoPartsTest, GoesForwardsAndBackwards) {
  // axis, start, end, stride, part_size
  EXPECT_EQ(Cut({0, 0, -1, 1, 1}, 5), "5 from 0 by 1");
  EXPECT_EQ(Cut({0, -1, 0, -1, 1}, 5), "5 from 4 by -1");
  EXPECT_EQ(Cut({0, 0, -1, 2, 2}, 6), "3 from 0 by 2");
  EXPECT_EQ(Cut({0, -1, 0, -2, 2}, 6), "3 from 4 by -2");
  EXPECT_EQ(Cut({0, 1, 4, 1, 1}, 5), "3 from 1 by 1");
  EXPECT_EQ(Cut({0, -4, -2, 1, 1}, 5), "2 from 2 by 1");
  EXPECT_EQ(Cut({0, 4, 1, -1, 1}, 5), "3 from 3 by -1");
  // Parts apart from each other, and parts that overlap.
  EXPECT_EQ(Cut({0, 0, -1, 2, 1}, 5), "3 from 0 by 2");
  EXPECT_EQ(Cut({0, 0, -1, 1, 3}, 5), "3 from 0 by 1");
  EXPECT_EQ(Cut({0, 0, -1, 1, 1}, 0), "0 from 0 by 1");
}

TEST(CutIntoPartsTest, RefusesWhatDoesNotFit) {
  EXPECT_THAT(Cut({0, 0, -1, 2, 2}, 5), HasSubstr("5 elements cannot be cut"));
  EXPECT_THAT(Cut({0, 0, -1, 1, 9}, 5), HasSubstr("parts of 9"));
  EXPECT_THAT(Cut({0, 0, 6, 1, 1}, 5), HasSubstr("no range of 5 elements"));
  EXPECT_THAT(Cut({0, 3, 1, 1, 1}, 5), HasSubstr("no range"));
  EXPECT_THAT(Cut({0, -9, -1, 1, 1}, 5), HasSubstr("no range"));
  EXPECT_THAT(Cut({0, 0, -1, 0, 1}, 5), HasSubstr("stride is 0"));
  EXPECT_THAT(Cut({0, 0, -1, INT64_MIN, 1}, 5), HasSubstr("stride is"));
  EXPECT_THAT(Cut({0, 0, -1, 1, 0}, 5), HasSubstr("part_size is 0"));
  EXPECT_THAT(Cut({0, INT64_MIN, INT64_MAX, 1, 1}, 5), HasSubstr("no range"));
}

TEST(CountPartsTest, KnowsIntervals) {
  EXPECT_EQ(CountParts({0, 0, -1, 2, 2}, Dimension(4, 9))->ToString(),
            "2..4");
  EXPECT_EQ(CountParts({0, -1, 0, -1, 1}, Dimension(3, Dimension::kInfinity))
                ->ToString(),
            "3..");
  EXPECT_EQ(CountParts({0, 1, -1, 1, 1}, Dimension(3, 4))->ToString(),
            "0..4");
}

// ---- If ----

// Bodies that give their parameter and what `then_op` and `else_op` make of it.
std::string IfText(const std::string& condition, const std::string& shape,
                   const std::string& then_line,
                   const std::string& else_line) {
  const std::string head =
      "body inputs {1->0} outputs {0->0} back_edges {} {\n"
      "%0 = Parameter-0() {shape: [...], element_type: dynamic}\n";
  return absl::StrCat(
      condition, "\n%x = Parameter-0() {shape: ", shape,
      ", element_type: f32}\n%n = If-8(%c, %x) {}  # n\n", head, then_line,
      "\n%r = Result-0(%1) {}\n}\n", head, else_line,
      "\n%r = Result-0(%1) {}\n}\n");
}

const char kCondition[] =
    "%c = Parameter-0() {shape: [1], element_type: boolean}";
const char kTrue[] = "%c = Constant-0() {value: boolean[] {1}}";
const char kFalse[] = "%c = Constant-0() {value: boolean[] {0}}";
const char kRelu[] = "%1 = Relu-0(%0) {}";
const char kShape[] = "%1 = ShapeOf-3(%0) {output_type: i64}";

TEST(IfTest, JoinsWhatBothBodiesSay) {
  EXPECT_EQ(Outputs(IfText(kCondition, "[2,3]", kRelu, kRelu)), "f32[2,3]");
  EXPECT_EQ(Outputs(IfText(kCondition, "[?,3]", kRelu, kRelu)), "f32[?,3]");
  EXPECT_EQ(Outputs(IfText(kCondition, "[...]", kRelu, kRelu)), "f32[...]");
  EXPECT_EQ(Outputs(IfText(kCondition, "[2,3]", kRelu,
                           "%i = Constant-0() {value: i64[1] {0}}\n"
                           "%1 = Unsqueeze-0(%0, %i) {}")),
            "f32[...]");
}

TEST(IfTest, AKnownConditionDecides) {
  EXPECT_EQ(Outputs(IfText(kTrue, "[2,3]", kRelu, kShape)), "f32[2,3]");
  EXPECT_EQ(Outputs(IfText(kFalse, "[2,3]", kRelu, kShape)), "i64[2]");
  // The other body may be one that these inputs would break.
  EXPECT_EQ(Outputs(IfText(kTrue, "[2,3]", kRelu,
                           "%i = Constant-0() {value: i64[1] {0}}\n"
                           "%1 = Squeeze-0(%0, %i) {}")),
            "f32[2,3]");
}

TEST(IfTest, RefusesWhatCannotBeJoined) {
  EXPECT_THAT(Outputs(IfText(kCondition, "[2,3]", kRelu, kShape)),
              HasSubstr("output 0 is f32 from the then-body, i64 from the "
                        "else-body"));
  EXPECT_THAT(
      Outputs(IfText("%c = Parameter-0() {shape: [], element_type: i32}",
                     "[2,3]", kRelu, kRelu)),
      HasSubstr("layer 'n' (If-8): input 0 has type i32"));
  EXPECT_THAT(
      Outputs(IfText("%c = Parameter-0() {shape: [2], element_type: boolean}",
                     "[2,3]", kRelu, kRelu)),
      HasSubstr("input 0"));
  EXPECT_THAT(Outputs("%c = Constant-0() {value: boolean[] {1}}\n"
                      "%n = If-8(%c) {}  # n\n"),
              HasSubstr("has 0 bodies, want 2"));
}

TEST(IfTest, AConditionOfNothingIsRefusedWhenItRunsOnly) {
  EXPECT_EQ(
      Outputs(IfText("%c = Parameter-0() {shape: [0], element_type: boolean}",
                     "[2,3]", kRelu, kRelu)),
      "f32[2,3]");
}

TEST(IfTest, ErrorsInABodyNameBothNodes) {
  EXPECT_THAT(Outputs(IfText(kCondition, "[2,3]", kRelu,
                             "%i = Constant-0() {value: i64[1] {5}}\n"
                             "%1 = Squeeze-0(%0, %i) {}  # inner")),
              HasSubstr("layer 'n' (If-8): layer 'inner' (Squeeze-0): "));
}

// ---- Loop ----

struct LoopSpec {
  std::string trips = "Constant-0() {value: i64[] {4}}";
  std::string starts = "Constant-0() {value: boolean[] {1}}";
  std::string input = "Parameter-0() {shape: [1,3], element_type: f32}";
  std::string bindings =
      "inputs {2->0} outputs {0->0, 0->1 axis=0 start=0 end=-1 stride=1 "
      "part_size=1} back_edges {0->0}";
  std::string body = "%1 = Relu-0(%0) {}";
};

std::string Loop(const LoopSpec& spec) {
  return Outputs(absl::StrCat(
      "%t = ", spec.trips, "\n%s = ", spec.starts, "\n%x = ", spec.input,
      "\n%n = Loop-5(%t, %s, %x) {}  # n\nbody ", spec.bindings,
      " {\n%0 = Parameter-0() {shape: [...], element_type: f32}  # state\n",
      spec.body, "\n%r = Result-0(%1) {}\n}\n"));
}

TEST(LoopTest, JoinsAsManyAsTheTripCount) {
  EXPECT_EQ(Loop({}), "f32[1,3] f32[4,3]");
  EXPECT_EQ(Loop({.trips = "Parameter-0() {shape: [1], element_type: i32}"}),
            "f32[1,3] f32[?,3]");
  EXPECT_EQ(Loop({.starts = "Constant-0() {value: boolean[] {0}}"}),
            "f32[1,3] f32[0,3]");
  EXPECT_EQ(
      Loop({.starts = "Parameter-0() {shape: [], element_type: boolean}"}),
      "f32[1,3] f32[0..4,3]");
  EXPECT_EQ(Loop({.trips = "Constant-0() {value: i64[] {-1}}"}),
            "f32[1,3] f32[?,3]");
}

TEST(LoopTest, ScalarsAreJoinedToAVector) {
  EXPECT_EQ(Loop({.input = "Parameter-0() {shape: [], element_type: f32}"}),
            "f32[] f32[4]");
}

TEST(LoopTest, ExtentsThatGrowAreFoundRoundByRoundThenGivenUp) {
  const std::string grow = "%1 = Concat-0(%0, %0) {axis: 1}";
  EXPECT_EQ(Loop({.trips = "Constant-0() {value: i64[] {3}}",
                  .bindings = "inputs {2->0} outputs {0->0} back_edges {0->0}",
                  .body = grow}),
            "f32[1,6..24]");
  EXPECT_EQ(Loop({.trips = "Constant-0() {value: i64[] {99}}",
                  .bindings = "inputs {2->0} outputs {0->0} back_edges {0->0}",
                  .body = grow}),
            "f32[1,6..]");
}

TEST(LoopTest, RanksThatChangeAreUnknown) {
  EXPECT_EQ(Loop({.bindings = "inputs {2->0} outputs {0->0} back_edges {0->0}",
                  .body = "%i = Constant-0() {value: i64[1] {0}}\n"
                          "%1 = Unsqueeze-0(%0, %i) {}"}),
            "f32[...]");
}

TEST(LoopTest, DynamicInputs) {
  EXPECT_EQ(Loop({.input = "Parameter-0() {shape: [...], element_type: f32}"}),
            "f32[...] f32[...]");
  EXPECT_EQ(
      Loop({.input = "Parameter-0() {shape: [2..5,?], element_type: f32}"}),
      "f32[2..5,?] f32[8..20,?]");
}

TEST(LoopTest, SlicedInputsEndAnEndlessLoop) {
  const std::string bindings =
      "inputs {2->0 axis=1 start=-1 end=0 stride=-3 part_size=3} "
      "outputs {0->0, 0->1 axis=1 start=0 end=-1 stride=1 part_size=1} "
      "back_edges {}";
  EXPECT_EQ(Loop({.trips = "Constant-0() {value: i64[] {-1}}",
                  .input = "Parameter-0() {shape: [2,6], element_type: f32}",
                  .bindings = bindings}),
            "f32[2,3] f32[2,6]");
  EXPECT_THAT(Loop({.input = "Parameter-0() {shape: [2,7], element_type: f32}",
                    .bindings = bindings}),
              HasSubstr("input 2: 7 elements cannot be cut into parts of 3"));
}

TEST(LoopTest, ABackEdgeToASlicedParameterDoesNothing) {
  EXPECT_EQ(Loop({.bindings = "inputs {2->0 axis=1 start=0 end=-1 stride=1 "
                              "part_size=1} outputs {0->0} back_edges {0->0}"}),
            "f32[1,1]");
}

TEST(LoopTest, RefusesWrongBindings) {
  EXPECT_THAT(Loop({.bindings = "inputs {2->0} outputs {0->1} back_edges {}"}),
              HasSubstr("bindings name output 1, of which there are 1"));
  EXPECT_THAT(
      Loop({.bindings = "inputs {2->0, 0->0} outputs {0->0} back_edges {}"}),
      HasSubstr("parameter 0 is fed by two inputs"));
  EXPECT_THAT(Loop({.bindings = "inputs {} outputs {0->0} back_edges {0->0}"}),
              HasSubstr("parameter 0 'state' is given no value"));
  EXPECT_THAT(Loop({.bindings = "inputs {2->0 axis=5 start=0 end=-1 stride=1 "
                                "part_size=1} outputs {0->0} back_edges {}"}),
              HasSubstr("axis of input 2"));
  EXPECT_THAT(Loop({.bindings = "inputs {} outputs {0->0} back_edges {} "
                                "iteration 0"}),
              HasSubstr("want i32 or i64, [] or [1]"));
}

TEST(LoopTest, RefusesWrongTypes) {
  EXPECT_THAT(Loop({.trips = "Constant-0() {value: f32[] {4}}"}),
              HasSubstr("input 0 has type f32"));
  EXPECT_THAT(Loop({.starts = "Constant-0() {value: i64[] {1}}"}),
              HasSubstr("input 1 has type i64"));
  EXPECT_THAT(
      Loop({.bindings = "inputs {2->0} outputs {0->0} back_edges {0->0}",
            .body = kShape}),
      HasSubstr("'state' brings i64, it is f32"));
}

// One loop in the other, each of which never settles: every level would double
// the work if nothing stopped it.
TEST(LoopTest, LoopsInLoopsAreInferredInTime) {
  const std::string head =
      "%t = Constant-0() {value: i64[] {99}}\n"
      "%s = Constant-0() {value: boolean[] {1}}\n";
  const std::string bindings =
      "body inputs {2->0} outputs {0->0} back_edges {0->0} {\n"
      "%x = Parameter-0() {shape: [1,1], element_type: f32}\n";
  std::string text =
      head + "%x = Parameter-0() {shape: [1,1], element_type: f32}\n";
  const int depth = 40;
  for (int i = 0; i < depth; ++i) {
    text += "%n = Loop-5(%t, %s, %x) {}  # n\n" + bindings + head;
  }
  text += "%n = Concat-0(%x, %x) {axis: 1}\n%r = Result-0(%n) {}\n}\n";
  for (int i = 1; i < depth; ++i) text += "%r = Result-0(%n) {}\n}\n";
  EXPECT_THAT(Outputs(text), HasSubstr("f32["));
}

// ---- TensorIterator ----

TEST(TensorIteratorTest, RunsOnceForEachPart) {
  const auto text = [](absl::string_view shape, absl::string_view bindings) {
    return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                        ", element_type: f32}\n"
                        "%y = Parameter-0() {shape: [4,2], element_type: f32}\n"
                        "%n = TensorIterator-0(%x, %y) {}  # n\nbody ",
                        bindings,
                        " {\n%0 = Parameter-0() {}\n%1 = Parameter-0() {}\n"
                        "%2 = Relu-0(%0) {}\n%r = Result-0(%2) {}\n}\n");
  };
  const std::string first =
      "0->0 axis=1 start=0 end=-1 stride=2 part_size=2";
  const std::string joined =
      " outputs {0->0 axis=-1 start=-1 end=0 stride=-2 part_size=2} "
      "back_edges {}";
  const std::string one = absl::StrCat("inputs {", first, "}", joined);
  EXPECT_EQ(Outputs(text("[3,6]", one)), "f32[3,6]");
  EXPECT_EQ(Outputs(text("[3,?]", one)), "f32[3,?]");
  EXPECT_EQ(Outputs(text("[3,4..8]", one)), "f32[3,4..8]");
  EXPECT_EQ(Outputs(text("[...]", one)), "f32[...]");
  EXPECT_EQ(Outputs(text("[3,6]", "inputs {0->0} outputs {0->0} "
                                  "back_edges {}")),
            "f32[3,6]");
  const std::string both = absl::StrCat(
      "inputs {", first, ", 1->1 axis=0 start=0 end=-1 stride=1 part_size=1}",
      joined);
  EXPECT_EQ(Outputs(text("[3,8]", both)), "f32[3,8]");
  EXPECT_THAT(Outputs(text("[3,6]", both)),
              HasSubstr("input 1 has 4 parts, those before it have 3"));
}

}  // namespace
}  // namespace dovetail
