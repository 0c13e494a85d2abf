#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/ctc/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(CtcDecompositions());

// Of 3 classes, so that repetitions and blanks are many.
std::string Text(absl::string_view shape, absl::string_view rest) {
  return absl::StrCat("%x = Parameter-0() {shape: ", shape,
                      ", element_type: f32}\n", rest, "\n");
}

TEST(CtcDecompositionsTest, GreedyDecoder) {
  for (absl::string_view merge : {"true", "false"}) {
    for (absl::string_view shape : {"[6,2,3]", "[6,2,?]"}) {
      check.ExpectReplaced(
          "CTCGreedyDecoder",
          Text(shape, absl::StrCat(R"(
            %m = Constant-0() {value: f32[6,2] {1, 1, 1, 1, 1, 1, 1, 0, 1, 1,
              1, 1}}
            %y = CTCGreedyDecoder-0(%x, %m) {ctc_merge_repeated: )", merge,
            "}\n%r = Result-0(%y) {}")));
    }
  }
}

TEST(CtcDecompositionsTest, GreedyDecoderSeqLen) {
  for (absl::string_view inputs : {"", ", %b"}) {
    for (absl::string_view attributes :
         {"merge_repeated: true", "merge_repeated: false",
          "classes_index_type: i64, sequence_length_type: i64"}) {
      for (absl::string_view shape : {"[3,7,3]", "[3,?,3]"}) {
        check.ExpectReplaced(
            "CTCGreedyDecoderSeqLen",
            Text(shape, absl::StrCat(R"(
              %l = Constant-0() {value: i32[3] {9, 3, 0}}
              %b = Constant-0() {value: i32[] {1}}
              %y = CTCGreedyDecoderSeqLen-6(%x, %l)", inputs, ") {",
              attributes, "}\n%r = Result-0(%y) {}\n%q = Result-0(%y:1) {}")));
      }
    }
  }
}

}  // namespace
}  // namespace dovetail
