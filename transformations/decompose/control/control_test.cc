#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/control/rules.h"
#include "dovetail/transformations/decompose/control/unroll_loops.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck branches(BranchDecompositions());
const RuleCheck unrolled(UnrollRules());

constexpr char kX[] = "%x = Parameter-0() {shape: [?,3], element_type: f32}\n";

// ---- If ----

std::string If(absl::string_view condition, absl::string_view then_line) {
  return absl::StrCat(kX, "%c = ", condition, "\n%y = If-8(%c, %x) {}\n",
                      R"(body inputs {1->0} outputs {0->0} back_edges {} {
      %0 = Parameter-0() {shape: [...], element_type: f32}
      )", then_line, R"(
      %2 = Result-0(%1) {}
    }
    body inputs {1->0} outputs {0->0} back_edges {} {
      %0 = Parameter-0() {shape: [...], element_type: f32}
      %1 = Result-0(%0) {}
    }
    %r = Result-0(%y) {}
  )");
}

TEST(BranchDecompositionsTest, OfAKnownCondition) {
  const std::string relu = "%1 = Relu-0(%0) {}";
  branches.ExpectReplaced(
      "If", If("Constant-0() {value: boolean[] {1}}", relu));
  branches.ExpectReplaced(
      "If", If("Constant-0() {value: boolean[1] {0}}", relu));
}

TEST(BranchDecompositionsTest, LeavesWhatCannotBeCopied) {
  branches.ExpectDeclined(
      "If", If("Parameter-0() {shape: [], element_type: boolean}",
               "%1 = Relu-0(%0) {}"));
  branches.ExpectDeclined(
      "If", If("Constant-0() {value: boolean[] {1}}", R"(
        %s = ShapeOf-3(%0) {}
        %l = Constant-0() {value: f32[] {0}}
        %h = Constant-0() {value: f32[] {1}}
        %1 = RandomUniform-8(%s, %l, %h) {output_type: f32})"));
}

// ---- Loop ----

struct LoopSpec {
  std::string trips = "Constant-0() {value: i64[] {3}}";
  std::string starts = "Constant-0() {value: boolean[] {1}}";
  std::string goes_on = "Constant-0() {value: boolean[] {1}}";
  std::string joined = "axis=1 start=0 end=-1 stride=1 part_size=1";
};

// state = state * 0.5 + iteration
std::string Loop(const LoopSpec& spec) {
  return absl::StrCat(
      kX, "%t = ", spec.trips, "\n%s = ", spec.starts,
      "\n%y = Loop-5(%t, %s, %x) {}\n",
      "body inputs {2->0} outputs {0->0, 0->1 ", spec.joined,
      "} back_edges {0->0} iteration 1 condition 1 {\n",
      R"(%0 = Parameter-0() {shape: [...], element_type: f32}
      %1 = Parameter-0() {shape: [], element_type: i64}
      %h = Constant-0() {value: f32[] {0.5}}
      %n = Convert-0(%1) {destination_type: f32}
      %m = Multiply-1(%0, %h) {}
      %a = Add-1(%m, %n) {}
      %g = )", spec.goes_on, R"(
      %2 = Result-0(%a) {}
      %3 = Result-0(%g) {}
    }
    %r = Result-0(%y) {}
    %q = Result-0(%y:1) {}
  )");
}

TEST(UnrollRulesTest, Loops) {
  unrolled.ExpectReplaced("Loop", Loop({}));
  unrolled.ExpectReplaced(
      "Loop", Loop({.trips = "Constant-0() {value: i32[1] {1}}"}));
  unrolled.ExpectReplaced(
      "Loop", Loop({.joined = "axis=-1 start=-1 end=0 stride=-1 "
                              "part_size=1"}));
}

TEST(UnrollRulesTest, LeavesLoopsWithoutAKnownEnd) {
  unrolled.ExpectDeclined(
      "Loop", Loop({.trips = "Parameter-0() {shape: [], element_type: i64}"}));
  unrolled.ExpectDeclined(
      "Loop",
      Loop({.starts = "Parameter-0() {shape: [], element_type: boolean}"}));
  unrolled.ExpectDeclined(
      "Loop", Loop({.goes_on = "Constant-0() {value: boolean[] {0}}"}));
  unrolled.ExpectDeclined(
      "Loop", Loop({.trips = "Constant-0() {value: i64[] {0}}"}));
  unrolled.ExpectDeclined(
      "Loop", Loop({.trips = "Constant-0() {value: i64[] {1000000}}"}));
}

// Parts of x, of the given slicing, are added up and joined.
std::string Iterator(absl::string_view shape, absl::string_view slicing) {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                      ", element_type: f32}\n",
                      R"(%z = Constant-0() {value: f32[1,1] {0}}
    %y = TensorIterator-0(%x, %z) {}
    body inputs {0->0 )", slicing, ", 1->1} outputs {0->0, 0->1 ", slicing,
                      R"(} back_edges {0->1} {
      %0 = Parameter-0() {shape: [...], element_type: f32}
      %1 = Parameter-0() {shape: [...], element_type: f32}
      %a = Add-1(%0, %1) {}
      %2 = Result-0(%a) {}
    }
    %r = Result-0(%y) {}
    %q = Result-0(%y:1) {}
  )");
}

TEST(UnrollRulesTest, TensorIterators) {
  unrolled.ExpectReplaced(
      "TensorIterator",
      Iterator("[4,?]", "axis=0 start=0 end=-1 stride=1 part_size=1"));
  unrolled.ExpectReplaced(
      "TensorIterator",
      Iterator("[2,6]", "axis=1 start=-1 end=0 stride=-2 part_size=2"));
  unrolled.ExpectDeclined(
      "TensorIterator",
      Iterator("[?,4]", "axis=0 start=0 end=-1 stride=1 part_size=1"));
}

TEST(UnrollLoopsTest, KeepsToItsLimit) {
  UnrollLoops two(2), three(3);
  RunAndExpectNoChange(two, Loop({}));
  Model model = ParseOrFail(Loop({}));
  const auto original = model.Clone();
  const auto changed = three.Run(model);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_TRUE(*changed);
  ExpectSameResults(*original, model, 1e-6);
}

}  // namespace
}  // namespace dovetail
