#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/indexing/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck ordering(OrderingDecompositions());
const RuleCheck gather(GatherDecompositions());
const RuleCheck scatter(ScatterDecompositions());
const RuleCheck gather_tree(GatherTreeDecompositions());

// A model of data %x of that shape, other lines, and the operation %y of it.
std::string Text(absl::string_view shape, absl::string_view lines,
                 absl::string_view call) {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                      ", element_type: f32}\n", lines, "\n%y = ", call,
                      "\n%r = Result-0(%y) {}");
}

std::string Constant(absl::string_view name, absl::string_view value) {
  return absl::StrCat("%", name, " = Constant-0() {value: ", value, "}\n");
}

// ---- Ordering ----

TEST(OrderingDecompositionsTest, Search) {
  const std::string bounds = Constant("b", "f32[4] {-2, 0, 0, 1.5}");
  for (const char* right : {"true", "false"}) {
    ordering.ExpectReplaced(
        "Bucketize",
        Text("[?,3]", bounds, absl::StrCat("Bucketize-3(%x, %b) {output_type: "
                                           "i32, with_right_bound: ",
                                           right, "}")));
    ordering.ExpectReplaced(
        "SearchSorted",
        Text("[2,?]", bounds, absl::StrCat("SearchSorted-15(%b, %x) "
                                           "{right_mode: ", right, "}")));
    ordering.ExpectReplaced(
        "SearchSorted",
        Text("[2,3]", Constant("b", "f32[2,3] {-1, 0, 2, 1, 1, 1}"),
             absl::StrCat("SearchSorted-15(%b, %x) {right_mode: ", right,
                          "}")));
  }
  // Types of which neither holds the other, nothing to find, and NaN.
  ordering.ExpectReplaced(
      "Bucketize", Text("[3]", Constant("b", "i32[3] {-1, 0, 2}"),
                        "Bucketize-3(%x, %b) {}"));
  ordering.ExpectReplaced("Bucketize", Text("[3]", Constant("b", "f32[0] {}"),
                                            "Bucketize-3(%x, %b) {}"));
  ordering.ExpectReplaced(
      "Bucketize", Text("[1]", bounds + Constant("n", "f32[2] {nan, inf}"),
                        "Bucketize-3(%n, %b) {with_right_bound: false}"));
}

TEST(OrderingDecompositionsTest, CumSum) {
  for (const char* attributes :
       {"", "exclusive: true", "reverse: true",
        "exclusive: true, reverse: true"}) {
    const std::string call =
        absl::StrCat("CumSum-0(%x, %a) {", attributes, "}");
    ordering.ExpectReplaced("CumSum", Text("[5]", Constant("a", "i32[] {0}"),
                                           call));
    ordering.ExpectReplaced(
        "CumSum", Text("[?,8,2]", Constant("a", "i64[] {-2}"), call));
    // What is not a number goes no farther than it should.
    ordering.ExpectReplaced(
        "CumSum",
        Text("[1]", Constant("a", "i64[] {0}") +
                        Constant("n", "f32[4] {1, inf, 2, -inf}"),
             absl::StrCat("CumSum-0(%n, %a) {", attributes, "}")));
  }
  ordering.ExpectDeclined(
      "CumSum", Text("[?]", Constant("a", "i64[] {0}"), "CumSum-0(%x, %a) {}"));
}

// ---- Gather ----

TEST(GatherDecompositionsTest, Batches) {
  // Some indices count from the end, others are of nothing.
  for (const char* shape : {"[2,4]", "[2,4,3]", "[2,3,4,2]", "[2,?,4]"}) {
    const bool deep = absl::string_view(shape) == "[2,3,4,2]" ||
                      absl::string_view(shape) == "[2,?,4]";
    const std::string lines =
        Constant("i", "i32[2,3] {0, 3, -1, 2, -5, 9}") +
        Constant("a", deep ? "i64[] {2}" : "i64[] {1}");
    // The result is a Gather as well, but of one axis.
    Model model = ParseOrFail(
        Text(shape, lines, "Gather-8(%x, %i, %a) {batch_dims: 1}"));
    const auto original = model.Clone();
    const auto changed = gather.rules.Apply(model, IsNone);
    ASSERT_TRUE(changed.ok()) << changed.status();
    EXPECT_TRUE(*changed);
    ExpectSameResults(*original, model, 0, 2);
  }
}

TEST(GatherDecompositionsTest, Elements) {
  gather.ExpectReplaced(
      "GatherElements",
      Text("[3,2]", Constant("i", "i32[2,2] {0, -1, 1, 2}"),
           "GatherElements-6(%x, %i) {axis: 0}"));
  gather.ExpectReplaced(
      "GatherElements",
      Text("[2,?,2]", Constant("i", "i64[2,1,2] {0, 1, -1, 1}"),
           "GatherElements-6(%x, %i) {axis: -2}"));
}

TEST(GatherDecompositionsTest, Tuples) {
  gather.ExpectReplaced(
      "GatherND",
      Text("[3,2,2]", Constant("i", "i32[3,2] {0, 1, -1, 0, 2, -1}"),
           "GatherND-8(%x, %i) {}"));
  gather.ExpectReplaced("GatherND", Text("[?,2]", Constant("i", "i64[1] {1}"),
                                         "GatherND-8(%x, %i) {}"));
  gather.ExpectReplaced(
      "GatherND", Text("[2,3,?]", Constant("i", "i32[2,2,1] {0, 1, -1, 2}"),
                       "GatherND-8(%x, %i) {batch_dims: 1}"));
  gather.ExpectReplaced(
      "GatherND", Text("[2,2,3]", Constant("i", "i32[2,2,1] {0, 1, -1, 2}"),
                       "GatherND-8(%x, %i) {batch_dims: 2}"));
}

// ---- Scatter ----

TEST(ScatterDecompositionsTest, Slices) {
  scatter.ExpectReplaced(
      "ScatterUpdate",
      Text("[4,2]", Constant("i", "i32[2] {3, 0}") +
                        Constant("u", "f32[2,2] {1, 2, 3, 4}") +
                        Constant("a", "i64[] {0}"),
           "ScatterUpdate-3(%x, %i, %u, %a) {}"));
  scatter.ExpectReplaced(
      "ScatterUpdate",
      Text("[2,?,2]", Constant("i", "i32[1,2] {1, 0}") +
                          Constant("u", "f32[2,1,2,2] {1, 2, 3, 4, "
                                        "5, 6, 7, 8}") +
                          Constant("a", "i64[1] {-2}"),
           "ScatterUpdate-3(%x, %i, %u, %a) {}"));
}

TEST(ScatterDecompositionsTest, Elements) {
  const std::string lines = Constant("i", "i32[2,3] {0, -1, 1, 0, 2, 1}") +
                            Constant("u", "f32[2,3] {1, 2, 3, 4, 5, 6}");
  for (const char* axis : {"0", "1"}) {
    for (const char* reduction :
         {"none", "sum", "prod", "min", "max", "mean"}) {
      for (const char* use : {"true", "false"}) {
        const std::string call = absl::StrCat(
            "ScatterElementsUpdate-12(%x, %i, %u, %a) {reduction: ", reduction,
            ", use_init_val: ", use, "}");
        scatter.ExpectReplaced(
            "ScatterElementsUpdate",
            Text("[4,5]", lines + Constant("a", absl::StrCat("i64[] {", axis,
                                                             "}")), call));
      }
    }
  }
  scatter.ExpectReplaced(
      "ScatterElementsUpdate",
      Text("[2..4,3..5]", lines + Constant("a", "i64[] {-1}"),
           "ScatterElementsUpdate-3(%x, %i, %u, %a) {}"));
}

TEST(ScatterDecompositionsTest, SegmentMax) {
  for (const char* mode : {"zero", "lowest"}) {
    const std::string attributes = absl::StrCat(") {fill_mode: ", mode, "}");
    const std::string ids = Constant("i", "i32[3] {0, 0, 2}");
    scatter.ExpectReplaced(
        "SegmentMax",
        Text("[3,?]", ids, absl::StrCat("SegmentMax-16(%x, %i", attributes)));
    for (const char* count : {"i32[] {1}", "i32[] {5}"}) {
      scatter.ExpectReplaced(
          "SegmentMax", Text("[3]", ids + Constant("n", count),
                             absl::StrCat("SegmentMax-16(%x, %i, %n",
                                          attributes)));
    }
  }
}

// ---- GatherTree ----

TEST(GatherTreeDecompositionsTest, FollowsBeams) {
  gather_tree.ExpectReplaced(
      "GatherTree",
      Text("[1]",
           Constant("s", "i32[3,2,2] {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}") +
               Constant("p", "i32[3,2,2] {0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, "
                             "1}") +
               Constant("n", "i32[2] {3, 2}") + Constant("e", "i32[] {5}"),
           "GatherTree-1(%s, %p, %n, %e) {}"));
}

}  // namespace
}  // namespace dovetail
