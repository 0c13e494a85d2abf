#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(ReductionDecompositions());

void Check(absl::string_view op, int version, absl::string_view type) {
  for (absl::string_view axes : {"[2] {-1, 0}", "[1] {1}", "[0] {}", "[] {0}"}) {
    for (absl::string_view shape : {"[2,3,2]", "[?,3,?]", "[2,0,3]"}) {
      for (absl::string_view keep : {"true", "false"}) {
        check.ExpectReplaced(
            op, absl::StrCat("%x = Parameter-0() {shape: ", shape,
                             ", element_type: ", type,
                             "}\n%a = Constant-0() {value: i64", axes,
                             "}\n%y = ", op, "-", version,
                             "(%x, %a) {keep_dims: ", keep,
                             "}\n%r = Result-0(%y) {}"));
      }
    }
  }
}

TEST(ReductionDecompositionsTest, Norms) {
  Check("ReduceL1", 4, "f32");
  Check("ReduceL1", 4, "i32");
  Check("ReduceL1", 4, "u8");
  Check("ReduceL2", 4, "f32");
  Check("ReduceL2", 4, "i32");
}

TEST(ReductionDecompositionsTest, Mean) {
  Check("ReduceMean", 1, "f32");
  // An axis may be there twice.
  check.ExpectReplaced("ReduceMean", R"(
    %x = Parameter-0() {shape: [?,3], element_type: f32}
    %a = Constant-0() {value: i64[3] {1, -1, 0}}
    %y = ReduceMean-1(%x, %a) {keep_dims: true}
    %r = Result-0(%y) {})");
  Check("ReduceMean", 1, "i32");
  Check("ReduceMean", 1, "u8");
  check.ExpectReplaced("ReduceMean", R"(
    %x = Parameter-0() {shape: [], element_type: f32}
    %a = Constant-0() {value: i64[1] {-1}}
    %y = ReduceMean-1(%x, %a) {keep_dims: true}
    %r = Result-0(%y) {})");
}

TEST(ReductionDecompositionsTest, Logic) {
  Check("ReduceLogicalAnd", 1, "boolean");
  Check("ReduceLogicalOr", 1, "boolean");
}

}  // namespace
}  // namespace dovetail
