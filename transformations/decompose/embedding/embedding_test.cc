#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/embedding/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(EmbeddingDecompositions());

// An operation on a table of 4 rows of that shape and type.
std::string Text(absl::string_view shape, absl::string_view call,
                 absl::string_view type = "f32") {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                      ", element_type: ", type, R"(}
    %i = Constant-0() {value: i32[5] {0, 2, 1, 1, 3}}
    %p = Constant-0() {value: i64[2,3] {0, 2, 1, 1, 3, 3}}
    %o = Constant-0() {value: i32[4] {0, 2, 2, 4}}
    %late = Constant-0() {value: i32[2] {1, 3}}
    %s = Constant-0() {value: i32[5] {2, 0, 2, 3, 0}}
    %n = Constant-0() {value: i32[] {5}}
    %d = Constant-0() {value: i32[] {3}}
    %none = Constant-0() {value: i32[] {-1}}
    %w = Constant-0() {value: f32[5] {0.5, 2, -1, 3, 1}}
    %v = Constant-0() {value: f32[2,3] {0.5, 2, -1, 3, 1, 0}}
    %y = )", call, "\n%r = Result-0(%y) {}");
}

TEST(EmbeddingDecompositionsTest, Offsets) {
  for (absl::string_view shape : {"[4]", "[4,3]", "[4,?,2]"}) {
    for (absl::string_view inputs :
         {"%o", "%late", "%o, %d", "%o, %none", "%o, %d, %w"}) {
      check.ExpectReplaced(
          "EmbeddingBagOffsetsSum",
          Text(shape, absl::StrCat("EmbeddingBagOffsetsSum-3(%x, %i, ", inputs,
                                   ") {}")));
    }
    check.ExpectReplaced(
        "EmbeddingBagOffsets",
        Text(shape, "EmbeddingBagOffsets-15(%x, %i, %o) {reduction: mean}"));
    check.ExpectReplaced(
        "EmbeddingBagOffsets",
        Text(shape,
             "EmbeddingBagOffsets-15(%x, %i, %o, %d) {reduction: mean}"));
  }
  check.ExpectReplaced(
      "EmbeddingBagOffsets",
      Text("[4,3]", "EmbeddingBagOffsets-15(%x, %i, %o) {reduction: mean}",
           "i32"));
}

TEST(EmbeddingDecompositionsTest, Packed) {
  for (absl::string_view shape : {"[4]", "[4,3]", "[4,?,2]"}) {
    check.ExpectReplaced("EmbeddingBagPackedSum",
                         Text(shape, "EmbeddingBagPackedSum-3(%x, %p) {}"));
    check.ExpectReplaced("EmbeddingBagPackedSum",
                         Text(shape, "EmbeddingBagPackedSum-3(%x, %p, %v) {}"));
    check.ExpectReplaced(
        "EmbeddingBagPacked",
        Text(shape, "EmbeddingBagPacked-15(%x, %p) {reduction: mean}"));
  }
}

TEST(EmbeddingDecompositionsTest, Segments) {
  for (absl::string_view shape : {"[4]", "[4,3]", "[4,?,2]"}) {
    for (absl::string_view rest : {"", ", %d", ", %none, %w", ", %d, %w"}) {
      check.ExpectReplaced(
          "EmbeddingSegmentsSum",
          Text(shape, absl::StrCat("EmbeddingSegmentsSum-3(%x, %i, %s, %n",
                                   rest, ") {}")));
    }
  }
}

}  // namespace
}  // namespace dovetail
