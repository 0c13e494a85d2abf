#include "dovetail/transformations/low_precision/attention_levels.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr CompareOptions kRounded = {.tolerance = 1e-5, .remove_unused = true};

// Quantized queries, moved, and keys, from %q and %k; `q` and `k` are the
// output ranges.
std::string Quantized(absl::string_view q, absl::string_view k) {
  const auto range = [](absl::string_view name, absl::string_view numbers) {
    return absl::StrCat(name, " = Constant-0() {value: f32[] {", numbers,
                        "}}\n");
  };
  return absl::StrCat(R"(
    %q = Parameter-0() {shape: [1,5,2,16], element_type: f32}
    %k = Parameter-0() {shape: [1,2,7,16], element_type: f32}
    %v = Parameter-0() {shape: [1,2,7,8], element_type: f32}
    %order = Constant-0() {value: i64[4] {0, 2, 1, 3}}
)",
                      range("%l", "-1.28"), range("%h", "1.27"),
                      range("%kl", "-0.32"), range("%kh", "2.23"), q, k, R"(
    %fq = FakeQuantize-0(%q, %l, %h, %ql, %qh) {levels: 256}
    %t = Transpose-1(%fq, %order) {}
    %fk = FakeQuantize-0(%k, %kl, %kh, %ol, %oh) {levels: 256}
)");
}

constexpr absl::string_view kRangeOfQ = R"(
    %ql = Constant-0() {value: f32[] {-1.28}}
    %qh = Constant-0() {value: f32[] {1.27}}
)";
constexpr absl::string_view kRangeOfK = R"(
    %ol = Constant-0() {value: f32[] {-0.32}}
    %oh = Constant-0() {value: f32[] {2.23}}
)";
constexpr absl::string_view kLevelsOfQ = R"(
    %ql = Constant-0() {value: f32[] {-128}}
    %qh = Constant-0() {value: f32[] {127}}
)";
constexpr absl::string_view kLevelsOfK = R"(
    %ol = Constant-0() {value: f32[] {-32}}
    %oh = Constant-0() {value: f32[] {223}}
)";

TEST(AttentionLevelsTest, TheScaleTakesWhatLevelsStandFor) {
  AttentionLevels pass;
  RunAndCompare(pass, absl::StrCat(Quantized(kRangeOfQ, kRangeOfK), R"(
    %y = ScaledDotProductAttention-13(%t, %fk, %v) {causal: false}
    %r = Result-0(%y) {})"),
                absl::StrCat(Quantized(kLevelsOfQ, kLevelsOfK), R"(
    %s = Constant-0() {value: f32[] {0.25}}
    %a = Constant-0() {value: f32[] {0.01}}
    %sa = Multiply-1(%s, %a) {}
    %m = Constant-0() {value: f32[] {0}}
    %b = Constant-0() {value: f32[] {0.01}}
    %sb = Multiply-1(%sa, %b) {}
    %y = ScaledDotProductAttention-13(%t, %fk, %v, %m, %sb) {causal: false}
    %r = Result-0(%y) {})"),
                kRounded);
}

TEST(AttentionLevelsTest, KeepsMaskAndScale) {
  AttentionLevels pass;
  constexpr absl::string_view kMask = R"(
    %m = Parameter-0() {shape: [5,7], element_type: f32}
    %s = Constant-0() {value: f32[] {0.125}}
)";
  RunAndCompare(pass, absl::StrCat(Quantized(kLevelsOfQ, kRangeOfK), kMask, R"(
    %y = ScaledDotProductAttention-13(%t, %fk, %v, %m, %s) {causal: false}
    %r = Result-0(%y) {})"),
                absl::StrCat(Quantized(kLevelsOfQ, kLevelsOfK), kMask, R"(
    %b = Constant-0() {value: f32[] {0.01}}
    %sb = Multiply-1(%s, %b) {}
    %y = ScaledDotProductAttention-13(%t, %fk, %v, %m, %sb) {causal: false}
    %r = Result-0(%y) {})"),
                kRounded);
}

TEST(AttentionLevelsTest, LeavesWhatOthersRead) {
  AttentionLevels pass;
  RunAndExpectNoChange(pass, absl::StrCat(Quantized(kRangeOfQ, kLevelsOfK), R"(
    %y = ScaledDotProductAttention-13(%t, %fk, %v) {causal: false}
    %r = Result-0(%y) {}
    %z = Result-0(%fq) {})"));
}

}  // namespace
}  // namespace dovetail
