// Branches and loops, run on whole models.
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/text/parse.h"
#include "dovetail/core/reference/control/loop.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/core/reference/testing/run_op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

// The results of a model in text form, separated by "; ", or the error.
std::string RunText(const std::string& text, const std::vector<Tensor>& inputs,
                const KernelEnvironment& environment = {}) {
  const auto model = ParseModelText(text);
  if (!model.ok()) return model.status().ToString();
  const auto results = EvaluateModel(*model, inputs, environment);
  if (!results.ok()) return results.status().ToString();
  std::string outputs;
  for (const Tensor& result : *results) {
    absl::StrAppend(&outputs, outputs.empty() ? "" : "; ",
                    result.ToString(1000));
  }
  return outputs;
}

// ---- If ----

const char kIf[] = R"(
    %c = Parameter-0() {shape: [1], element_type: boolean}
    %x = Parameter-0() {shape: [?], element_type: f32}
    %n = If-8(%c, %x) {}  # n
      body inputs {1->0} outputs {0->0, 1->1} back_edges {} {
        %0 = Parameter-0() {}
        %1 = Negative-0(%0) {}
        %r = Result-0(%1) {}
        %s = Result-0(%0) {}
      }
      body inputs {1->0} outputs {1->0, 0->1} back_edges {} {
        %0 = Parameter-0() {}
        %1 = Concat-0(%0, %0) {axis: 0}
        %r = Result-0(%1) {}
        %s = Result-0(%0) {}
      }
    %r = Result-0(%n) {}
    %s = Result-0(%n:1) {})";

TEST(IfTest, RunsTheBodyThatTheConditionChooses) {
  const Tensor x = Floats({2}, {1, -2});
  EXPECT_EQ(RunText(kIf, {Booleans({1}, {1}), x}),
            "f32[2] {-1, 2}; f32[2] {1, -2}");
  EXPECT_EQ(RunText(kIf, {Booleans({1}, {0}), x}),
            "f32[2] {1, -2}; f32[4] {1, -2, 1, -2}");
}

TEST(IfTest, AParameterThatNothingFeedsIsZero) {
  EXPECT_EQ(RunText(R"(
    %c = Parameter-0() {shape: [], element_type: boolean}
    %n = If-8(%c) {}
      body inputs {} outputs {0->0} back_edges {} {
        %0 = Parameter-0() {shape: [2,?], element_type: f32}
        %1 = Constant-0() {value: f32[] {5}}
        %r = Result-0(%1) {}
      }
      body inputs {} outputs {0->0} back_edges {} {
        %1 = Constant-0() {value: f32[] {6}}
        %r = Result-0(%1) {}
      }
    %r = Result-0(%n) {})",
                {Booleans({}, {1})}),
            "f32[] {5}");
}

TEST(IfTest, ErrorsOfABodyNameBothNodes) {
  const std::string error = RunText(R"(
    %c = Parameter-0() {shape: [], element_type: boolean}
    %x = Parameter-0() {shape: [...], element_type: f32}
    %n = If-8(%c, %x) {}  # choice
      body inputs {1->0} outputs {0->0} back_edges {} {
        %0 = Parameter-0() {}
        %a = Constant-0() {value: i64[1] {3}}
        %1 = Squeeze-0(%0, %a) {}  # inner
        %r = Result-0(%1) {}
      }
      body inputs {1->0} outputs {0->0} back_edges {} {
        %0 = Parameter-0() {}
        %r = Result-0(%0) {}
      }
    %r = Result-0(%n) {})",
                                {Booleans({}, {1}), Floats({2}, {1, 2})});
  EXPECT_THAT(error, HasSubstr("layer 'choice' (If-8): layer 'inner'"));
}

TEST(IfTest, NeedsACondition) {
  const std::string text = R"(
    %c = Parameter-0() {shape: [?], element_type: boolean}
    %n = If-8(%c) {}
      body inputs {} outputs {0->0} back_edges {} {
        %1 = Constant-0() {value: f32[] {5}}
        %r = Result-0(%1) {}
      }
      body inputs {} outputs {0->0} back_edges {} {
        %1 = Constant-0() {value: f32[] {6}}
        %r = Result-0(%1) {}
      }
    %r = Result-0(%n) {})";
  EXPECT_EQ(RunText(text, {Booleans({1}, {0})}), "f32[] {6}");
  EXPECT_THAT(RunText(text, {Booleans({0}, {})}),
              HasSubstr("input 0 has shape [0], want a single element"));
}

// ---- Loop ----

// Adds input 2 to itself, starting with it: state = state + x; outputs the last
// state, all states, and the numbers of the iterations.
std::string Sums(absl::string_view condition_line,
                 absl::string_view condition) {
  return absl::StrCat(
      R"(
    %t = Parameter-0() {shape: [], element_type: i64}
    %s = Parameter-0() {shape: [], element_type: boolean}
    %x = Parameter-0() {shape: [1,2], element_type: f32}
    %n = Loop-5(%t, %s, %x) {}  # loop
      body inputs {2->0, 2->1} outputs {0->0, 0->1 axis=0 start=0 end=-1)"
      R"( stride=1 part_size=1, 1->2 axis=0 start=0 end=-1)"
      R"( stride=1 part_size=1} back_edges {0->0} iteration 2 )",
      condition, R"( {
        %0 = Parameter-0() {}  # state
        %1 = Parameter-0() {}  # x
        %2 = Parameter-0() {shape: [], element_type: i32}
        %3 = Add-1(%0, %1) {}
        %r = Result-0(%3) {}
        %i = Result-0(%2) {}
        )",
      condition_line, R"(
      }
    %r = Result-0(%n) {}
    %s1 = Result-0(%n:1) {}
    %i = Result-0(%n:2) {})");
}

// Goes on as long as the iteration's number is below 2.
const char kBelow2[] =
    "%l = Constant-0() {value: i32[] {2}}\n%g = Less-1(%2, %l) {}\n"
    "%q = Result-0(%g) {}";

TEST(LoopTest, GoesRoundAsOftenAsTheTripCount) {
  const Tensor x = Floats({1, 2}, {1, 10});
  EXPECT_EQ(RunText(Sums("", ""), {Int64s({}, {3}), Booleans({}, {1}), x}),
            "f32[1,2] {4, 40}; f32[3,2] {2, 20, 3, 30, 4, 40}; "
            "i32[3] {0, 1, 2}");
}

TEST(LoopTest, StopsAfterTheIterationThatSaysSo) {
  const Tensor x = Floats({1, 2}, {1, 10});
  const std::string want =
      "f32[1,2] {4, 40}; f32[3,2] {2, 20, 3, 30, 4, 40}; i32[3] {0, 1, 2}";
  const std::string text = Sums(kBelow2, "condition 2");
  EXPECT_EQ(RunText(text, {Int64s({}, {9}), Booleans({}, {1}), x}), want);
  EXPECT_EQ(RunText(text, {Int64s({}, {-1}), Booleans({}, {1}), x}), want);
}

TEST(LoopTest, WithoutIterationsTheFirstValueIsTheLast) {
  const Tensor x = Floats({1, 2}, {1, 10});
  const std::string want = "f32[1,2] {1, 10}; f32[0,2] {}; i32[0] {}";
  const std::string text = Sums("", "");
  EXPECT_EQ(RunText(text, {Int64s({}, {0}), Booleans({}, {1}), x}), want);
  EXPECT_EQ(RunText(text, {Int64s({}, {3}), Booleans({}, {0}), x}), want);
}

TEST(LoopTest, AnEndlessLoopIsRefused) {
  const Tensor x = Floats({1, 2}, {1, 10});
  EXPECT_THAT(RunText(Sums("", ""), {Int64s({}, {-1}), Booleans({}, {1}), x}),
              HasSubstr("layer 'loop' (Loop-5): has no trip count and a "
                        "condition that always holds"));
  const std::string always =
      "%g = Constant-0() {value: boolean[] {1}}\n%q = Result-0(%g) {}";
  EXPECT_THAT(RunText(Sums(always, "condition 2"),
                  {Int64s({}, {-1}), Booleans({}, {1}), x}),
              HasSubstr("would never end"));
}

TEST(LoopTest, CanBeCancelledAlthoughItsBodyDoesNothing) {
  KernelEnvironment environment;
  int asked = 0;
  environment.check_cancelled = [&asked] {
    return ++asked > 100 ? absl::CancelledError("stop") : absl::OkStatus();
  };
  EXPECT_THAT(RunText(R"(
    %t = Constant-0() {value: i64[] {9000000000}}
    %s = Constant-0() {value: boolean[] {1}}
    %x = Parameter-0() {shape: [1], element_type: f32}
    %n = Loop-5(%t, %s, %x) {}
      body inputs {2->0} outputs {0->0} back_edges {0->0} {
        %0 = Parameter-0() {}
        %r = Result-0(%0) {}
      }
    %r = Result-0(%n) {})",
                  {Floats({1}, {1})}, environment),
              HasSubstr("CANCELLED"));
}

TEST(LoopTest, TheConditionIsOneBoolean) {
  const std::string two =
      "%g = Constant-0() {value: boolean[2] {1, 1}}\n%q = Result-0(%g) {}";
  EXPECT_THAT(RunText(Sums(two, "condition 2"),
                  {Int64s({}, {3}), Booleans({}, {1}), Floats({1, 2}, {1, 2})}),
              HasSubstr("the body's condition is boolean[2]"));
}

// Cuts columns of an input and joins what the body makes of each.
std::string Columns(absl::string_view slicing, absl::string_view joining,
                    absl::string_view type = "f32") {
  return absl::StrCat(R"(
    %t = Parameter-0() {shape: [1], element_type: i32}
    %s = Constant-0() {value: boolean[] {1}}
    %x = Parameter-0() {shape: [2,?], element_type: )",
                      type, R"(}
    %n = Loop-5(%t, %s, %x) {}  # loop
      body inputs {2->0 axis=1 )",
                      slicing, "} outputs {0->0 axis=1 ", joining,
                      "} back_edges {} {",
                      R"(
        %0 = Parameter-0() {}
        %1 = Identity-16(%0) {}
        %r = Result-0(%1) {}
      }
    %r = Result-0(%n) {})");
}

TEST(LoopTest, CutsAndJoinsAlongAnyAxisBothWays) {
  const char forwards[] = "start=0 end=-1 stride=1 part_size=1";
  const char backwards[] = "start=-1 end=0 stride=-1 part_size=1";
  const Tensor x = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor all = Int32s({1}, {-1});
  EXPECT_EQ(RunText(Columns(forwards, forwards), {all, x}),
            "f32[2,3] {1, 2, 3, 4, 5, 6}");
  EXPECT_EQ(RunText(Columns(backwards, forwards), {all, x}),
            "f32[2,3] {3, 2, 1, 6, 5, 4}");
  EXPECT_EQ(RunText(Columns(backwards, backwards), {all, x}),
            "f32[2,3] {1, 2, 3, 4, 5, 6}");
  EXPECT_EQ(RunText(Columns("start=1 end=-1 stride=2 part_size=1",
                                forwards),
                {all, x}),
            "f32[2,1] {2, 5}");
  EXPECT_EQ(RunText(Columns("start=0 end=-1 stride=1 part_size=2",
                                forwards),
                {all, x}),
            "f32[2,4] {1, 2, 2, 3, 4, 5, 5, 6}");
}

TEST(LoopTest, ATripCountMayUseSomeOfTheParts) {
  const char forwards[] = "start=0 end=-1 stride=1 part_size=1";
  const std::string text = Columns(forwards, forwards);
  const Tensor x = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(RunText(text, {Int32s({1}, {2}), x}), "f32[2,2] {1, 2, 4, 5}");
  EXPECT_THAT(RunText(text, {Int32s({1}, {4}), x}),
              HasSubstr("the trip count is 4, a sliced input has only 3"));
}

TEST(LoopTest, StateMayGrow) {
  EXPECT_EQ(RunText(R"(
    %t = Constant-0() {value: i64[] {4}}
    %s = Constant-0() {value: boolean[] {1}}
    %x = Parameter-0() {shape: [1], element_type: f32}
    %n = Loop-5(%t, %s, %x) {}
      body inputs {2->0, 2->1} outputs {0->0} back_edges {0->0} {
        %0 = Parameter-0() {}
        %1 = Parameter-0() {}
        %2 = Concat-0(%0, %1) {axis: 0}
        %r = Result-0(%2) {}
      }
    %r = Result-0(%n) {})",
                {Floats({1}, {7})}),
            "f32[5] {7, 7, 7, 7, 7}");
}

TEST(LoopTest, IterationsThatDoNotFitTogetherAreNamed) {
  EXPECT_THAT(RunText(R"(
    %t = Constant-0() {value: i64[] {4}}
    %s = Constant-0() {value: boolean[] {1}}
    %x = Parameter-0() {shape: [1,1], element_type: f32}
    %n = Loop-5(%t, %s, %x) {}  # loop
      body inputs {2->0} outputs {0->0 axis=0 start=0 end=-1 stride=1 part_size=1} back_edges {0->0} {
        %0 = Parameter-0() {}
        %1 = Concat-0(%0, %0) {axis: 1}
        %r = Result-0(%1) {}
      }
    %r = Result-0(%n) {})",
                      {Floats({1, 1}, {7})}),
              HasSubstr("layer 'loop' (Loop-5): iteration 1 gives f32[1,4] "
                        "for output 0, the first one gave f32[1,2]"));
}

// A loop in a loop, with a variable that counts the inner iterations.
TEST(LoopTest, BodiesHaveBodiesAndVariables) {
  const std::string text = R"(
    %t = Constant-0() {value: i64[] {3}}
    %s = Constant-0() {value: boolean[] {1}}
    %x = Parameter-0() {shape: [1], element_type: f32}
    %n = Loop-5(%t, %s, %x) {}
      body inputs {2->0} outputs {0->0} back_edges {0->0} {
        %0 = Parameter-0() {}
        %t = Constant-0() {value: i64[] {2}}
        %s = Constant-0() {value: boolean[] {1}}
        %n = Loop-5(%t, %s, %0) {}
          body inputs {2->0} outputs {1->0} back_edges {1->0} {
            %0 = Parameter-0() {}
            %z = Constant-0() {value: f32[1] {100}}
            %v = ReadValue-6(%z) {variable_id: "v", variable_type: f32, variable_shape: [1]}
            %1 = Constant-0() {value: f32[1] {1}}
            %w = Add-1(%v, %1) {}
            %a = Assign-6(%w) {variable_id: "v"}
            %2 = Add-1(%0, %1) {}
            %r = Result-0(%w) {}
            %q = Result-0(%2) {}
          }
        %r = Result-0(%n) {}
      }
    %r = Result-0(%n) {})";
  VariableValues variables;
  KernelEnvironment environment;
  environment.variables = &variables;
  EXPECT_EQ(RunText(text, {Floats({1}, {0})}, environment), "f32[1] {6}");
  ASSERT_EQ(variables.count("v"), 1u);
  EXPECT_EQ(variables["v"].ToString(), "f32[1] {106}");
}

// ---- TensorIterator ----

TEST(TensorIteratorTest, CarriesAStateThroughTheParts) {
  EXPECT_EQ(
      RunText(R"(
    %x = Parameter-0() {shape: [?,2], element_type: f32}
    %h = Parameter-0() {shape: [1,2], element_type: f32}
    %n = TensorIterator-0(%x, %h) {}
      body inputs {0->0 axis=0 start=-1 end=0 stride=-1 part_size=1, 1->1} outputs {0->0 axis=0 start=-1 end=0 stride=-1 part_size=1, 0->1} back_edges {0->1} {
        %0 = Parameter-0() {}
        %1 = Parameter-0() {}
        %2 = Add-1(%0, %1) {}
        %r = Result-0(%2) {}
      }
    %y = Result-0(%n) {}
    %z = Result-0(%n:1) {})",
              {Floats({3, 2}, {1, 10, 2, 20, 3, 30}), Floats({1, 2}, {5, 50})}),
      "f32[3,2] {11, 110, 10, 100, 8, 80}; f32[1,2] {11, 110}");
}

TEST(TensorIteratorTest, WithNoPartsThereIsNoLastValue) {
  const std::string error = RunText(R"(
    %x = Parameter-0() {shape: [?], element_type: f32}
    %n = TensorIterator-0(%x) {}  # n
      body inputs {0->0 axis=0 start=0 end=-1 stride=1 part_size=1} outputs {0->0} back_edges {} {
        %0 = Parameter-0() {}
        %r = Result-0(%0) {}
      }
    %y = Result-0(%n) {})",
                                    {Floats({0}, {})});
  EXPECT_THAT(error, HasSubstr("layer 'n' (TensorIterator-0): runs no "
                               "iteration, so that output 0 has no value"));
}

// Columns of `type` reversed: cut off one by one from the last one on.
std::string ReversedColumns(const char* type, const Tensor& x) {
  return RunText(absl::StrCat("%x = Parameter-0() {shape: [2,5], element_type: ",
                              type, R"(}
    %n = TensorIterator-0(%x) {}
      body inputs {0->0 axis=1 start=-1 end=0 stride=-1 part_size=1} outputs {0->0 axis=1 start=0 end=-1 stride=1 part_size=1} back_edges {} {
        %0 = Parameter-0() {}
        %r = Result-0(%0) {}
      }
    %y = Result-0(%n) {})"),
                 {x});
}

TEST(TensorIteratorTest, WithNoPartsAJoinedOutputHasTheExtentsOfOne) {
  EXPECT_EQ(RunText(R"(
    %x = Parameter-0() {shape: [?,?,?], element_type: f32}
    %n = TensorIterator-0(%x) {}
      body inputs {0->0 axis=1 start=0 end=-1 stride=1 part_size=1} outputs {0->0 axis=1 start=0 end=-1 stride=1 part_size=1} back_edges {} {
        %0 = Parameter-0() {}
        %1 = Concat-0(%0, %0) {axis: 0}
        %r = Result-0(%1) {}
      }
    %y = Result-0(%n) {})",
                    {Floats({2, 0, 3}, {})}),
            "f32[4,0,3] {}");
}

TEST(TensorIteratorTest, CutsAndJoinsWhatIsSmallerThanAByte) {
  for (const char* type :
       {"u1", "u2", "u3", "u4", "u6", "i2", "i4", "nf4", "f4e2m1"}) {
    const Tensor x = TensorOf(*ParseElementType(type), {2, 5},
                              {1, 1, 0, 0, 0, 0, 0, 1, 1, 1});
    EXPECT_EQ(ReversedColumns(type, x),
              TensorOf(x.type(), {2, 5}, {0, 0, 0, 1, 1, 1, 1, 1, 0, 0})
                  .ToString(1000));
  }
}

TEST(TensorIteratorTest, CutsAndJoinsStrings) {
  auto x = Tensor::Allocate(ElementType::kString, {2, 5});
  ASSERT_TRUE(x.ok());
  for (int i = 0; i < 10; ++i) {
    x->mutable_data<std::string>()[i] = std::string(1, 'a' + i);
  }
  EXPECT_EQ(ReversedColumns("string", *x),
            "string[2,5] {\"e\", \"d\", \"c\", \"b\", \"a\", "
            "\"j\", \"i\", \"h\", \"g\", \"f\"}");
}

}  // namespace
}  // namespace dovetail
