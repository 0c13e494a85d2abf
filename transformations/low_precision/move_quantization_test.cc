#include "dovetail/transformations/low_precision/move_quantization.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr CompareOptions kCompare = {.remove_unused = true};

// %a and %b, which are computed, and the ends of a range.
constexpr absl::string_view kSources = R"(
    %x = Parameter-0() {shape: [1,1,4,4], element_type: f32}
    %a = Sigmoid-0(%x) {}
    %b = Tanh-0(%x) {}
    %l = Constant-0() {value: f32[] {-1}}
    %h = Constant-0() {value: f32[] {1}}
    %o = Constant-0() {value: i64[4] {0, 1, 3, 2}})";

// Of %j, which has two channels.
constexpr absl::string_view kConvolution = R"(
    %q = Constant-0() {value: i8[1,2,1,1] {3, -5}}
    %c = Convert-0(%q) {destination_type: f32}
    %s = Constant-0() {value: f32[] {0.5}}
    %w = Multiply-1(%c, %s) {}
    %y = Convolution-1(%j, %w) {}
    %r = Result-0(%y) {})";

TEST(MoveQuantizationTest, MovesBeforeAllMovements) {
  MoveQuantization pass;
  RunAndCompare(pass,
                absl::StrCat(kSources, R"(
    %k = Concat-0(%a, %b) {axis: 1}
    %t = Transpose-1(%k, %o) {}
    %j = FakeQuantize-0(%t, %l, %h, %l, %h) {levels: 256})",
                             kConvolution),
                absl::StrCat(kSources, R"(
    %d = FakeQuantize-0(%a, %l, %h, %l, %h) {levels: 256}
    %e = FakeQuantize-0(%b, %l, %h, %l, %h) {levels: 256}
    %k = Concat-0(%d, %e) {axis: 1}
    %j = Transpose-1(%k, %o) {})",
                             kConvolution),
                kCompare);
}

void ExpectKept(absl::string_view rest) {
  MoveQuantization pass;
  RunAndExpectNoChange(pass, absl::StrCat(kSources, rest, kConvolution));
}

TEST(MoveQuantizationTest, LeavesWhatOthersRead) {
  ExpectKept(R"(
    %k = Concat-0(%a, %b) {axis: 1}
    %j = FakeQuantize-0(%k, %l, %h, %l, %h) {levels: 256}
    %z = Result-0(%k) {})");
}

TEST(MoveQuantizationTest, LeavesRangesOfChannelsAndPictures) {
  ExpectKept(R"(
    %k = Concat-0(%a, %b) {axis: 1}
    %p = Constant-0() {value: f32[2,1,1] {1, 2}}
    %j = FakeQuantize-0(%k, %l, %p, %l, %p) {levels: 256})");
  ExpectKept(R"(
    %k = Concat-0(%a, %x) {axis: 1}
    %j = FakeQuantize-0(%k, %l, %h, %l, %h) {levels: 256})");
}

TEST(MoveQuantizationTest, LeavesWhatNoLinearOperationReads) {
  MoveQuantization pass;
  RunAndExpectNoChange(pass, absl::StrCat(kSources, R"(
    %k = Concat-0(%a, %b) {axis: 1}
    %j = FakeQuantize-0(%k, %l, %h, %l, %h) {levels: 256}
    %r = Result-0(%j) {})"));
}

}  // namespace
}  // namespace dovetail
