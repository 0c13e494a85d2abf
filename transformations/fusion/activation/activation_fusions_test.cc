#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "dovetail/transformations/fusion/activation/rules.h"
#include "dovetail/transformations/fusion/common/fusion_pass.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr CompareOptions kNear = {.tolerance = 1e-5};

FusionPass AllActivations() {
  return FusionPass("test", {&ClampFusions, &SwishFusions, &SoftPlusFusions,
                             &HardActivationFusions, &GeluFusions});
}

std::string TextOf(absl::string_view lines, absl::string_view type) {
  return absl::StrReplaceAll(
      absl::StrCat("%x = Parameter-0() {shape: [?,3], element_type: TYPE}\n",
                   lines, "\n%r = Result-0(%y) {}\n"),
      {{"TYPE", type}});
}

// The lines compute %y of %x and become the node `call`, in f32 and, roughly,
// in the narrow types.
void Becomes(absl::string_view call, absl::string_view lines) {
  SCOPED_TRACE(std::string(lines));
  FusionPass pass = AllActivations();
  const std::string after = absl::StrCat("%y = ", call);
  RunAndCompare(pass, TextOf(lines, "f32"), TextOf(after, "f32"), kNear);
  RunAndCompare(pass, TextOf(lines, "f16"), TextOf(after, "f16"),
                {.tolerance = 2e-2});
  RunAndCompare(pass, TextOf(lines, "bf16"), TextOf(after, "bf16"),
                {.tolerance = 1e-1});
}

void Stays(absl::string_view lines) {
  SCOPED_TRACE(std::string(lines));
  FusionPass pass = AllActivations();
  RunAndExpectNoChange(pass, TextOf(lines, "f32"));
}

TEST(GeluFusionsTest, ByErf) {
  const char* kGelu = "Gelu-7(%x) {approximation_mode: erf}";
  Becomes(kGelu, R"(
    %h = Constant-0() {value: TYPE[] {0.5}}
    %o = Constant-0() {value: TYPE[1,1] {1}}
    %s = Constant-0() {value: TYPE[1] {1.4142135}}
    %d = Divide-1(%x, %s) {}
    %e = Erf-0(%d) {}
    %p = Add-1(%e, %o) {}
    %t = Multiply-1(%x, %h) {}
    %y = Multiply-1(%t, %p) {})");
  Becomes(kGelu, R"(
    %h = Constant-0() {value: TYPE[] {0.5}}
    %s = Constant-0() {value: TYPE[] {0.70710678}}
    %d = Multiply-1(%s, %x) {}
    %e = Erf-0(%d) {}
    %m = Multiply-1(%e, %h) {}
    %p = Add-1(%h, %m) {}
    %y = Multiply-1(%p, %x) {})");
  Becomes(kGelu, R"(
    %h = Constant-0() {value: TYPE[] {2}}
    %o = Constant-0() {value: TYPE[] {1}}
    %s = Constant-0() {value: TYPE[] {0.70710678}}
    %d = Multiply-1(%s, %x) {}
    %e = Erf-0(%d) {}
    %p = Add-1(%e, %o) {}
    %t = Multiply-1(%x, %p) {}
    %y = Divide-1(%t, %h) {})");
}

TEST(GeluFusionsTest, ConstantsOfNarrowFloats) {
  FusionPass pass = AllActivations();
  RunAndCompare(pass, TextOf(R"(
    %h = Constant-0() {value: f32[] {0.5}}
    %o = Constant-0() {value: f32[] {1}}
    %s = Constant-0() {value: f32[] {1.4140625}}
    %d = Divide-1(%x, %s) {}
    %e = Erf-0(%d) {}
    %p = Add-1(%e, %o) {}
    %t = Multiply-1(%x, %h) {}
    %y = Multiply-1(%t, %p) {})", "f32"),
    TextOf("%y = Gelu-7(%x) {approximation_mode: erf}", "f32"),
    {.tolerance = 1e-3});
}

TEST(GeluFusionsTest, ByTanh) {
  const char* kGelu = "Gelu-7(%x) {approximation_mode: tanh}";
  Becomes(kGelu, R"(
    %h = Constant-0() {value: TYPE[] {0.5}}
    %o = Constant-0() {value: TYPE[] {1}}
    %k = Constant-0() {value: TYPE[] {3}}
    %c = Constant-0() {value: TYPE[] {0.044715}}
    %s = Constant-0() {value: TYPE[] {0.79788456}}
    %x3 = Power-1(%x, %k) {}
    %a = Multiply-1(%x3, %c) {}
    %i = Add-1(%x, %a) {}
    %t = Multiply-1(%i, %s) {}
    %e = Tanh-0(%t) {}
    %p = Add-1(%e, %o) {}
    %m = Multiply-1(%p, %h) {}
    %y = Multiply-1(%x, %m) {})");
  Becomes(kGelu, R"(
    %h = Constant-0() {value: TYPE[] {0.5}}
    %o = Constant-0() {value: TYPE[] {1}}
    %c = Constant-0() {value: TYPE[] {0.044715}}
    %s = Constant-0() {value: TYPE[] {0.79788456}}
    %x2 = Multiply-1(%x, %x) {}
    %a = Multiply-1(%c, %x2) {}
    %i = Add-1(%a, %o) {}
    %w = Multiply-1(%x, %s) {}
    %t = Multiply-1(%w, %i) {}
    %e = Tanh-0(%t) {}
    %p = Add-1(%o, %e) {}
    %l = Multiply-1(%x, %h) {}
    %y = Multiply-1(%l, %p) {})");
}

TEST(GeluFusionsTest, OtherNumbersStay) {
  Stays(R"(
    %h = Constant-0() {value: f32[] {0.5}}
    %o = Constant-0() {value: f32[] {1}}
    %s = Constant-0() {value: f32[] {1.41}}
    %d = Divide-1(%x, %s) {}
    %e = Erf-0(%d) {}
    %p = Add-1(%e, %o) {}
    %t = Multiply-1(%x, %h) {}
    %y = Multiply-1(%t, %p) {})");
}

TEST(GeluFusionsTest, WhatIsReadElsewhereStays) {
  Stays(R"(
    %h = Constant-0() {value: f32[] {0.5}}
    %o = Constant-0() {value: f32[] {1}}
    %s = Constant-0() {value: f32[] {1.4142135}}
    %d = Divide-1(%x, %s) {}
    %e = Erf-0(%d) {}
    %q = Result-0(%e) {}
    %p = Add-1(%e, %o) {}
    %t = Multiply-1(%x, %h) {}
    %y = Multiply-1(%t, %p) {})");
}

TEST(SwishFusionsTest, BySigmoid) {
  Becomes("Swish-4(%x) {}", R"(
    %s = Sigmoid-0(%x) {}
    %y = Multiply-1(%s, %x) {})");
  Becomes("Swish-4(%x) {}", R"(
    %n = Negative-0(%x) {}
    %e = Exp-0(%n) {}
    %o = Constant-0() {value: TYPE[] {1}}
    %d = Add-1(%e, %o) {}
    %y = Divide-1(%x, %d) {})");
  Becomes("Sigmoid-0(%x) {}", R"(
    %m = Constant-0() {value: TYPE[] {-1}}
    %n = Multiply-1(%x, %m) {}
    %e = Exp-0(%n) {}
    %o = Constant-0() {value: TYPE[] {1}}
    %d = Add-1(%o, %e) {}
    %y = Divide-1(%o, %d) {})");
  FusionPass pass = AllActivations();
  RunAndCompare(pass, TextOf(R"(
    %b = Constant-0() {value: f32[1] {1.702}}
    %i = Multiply-1(%x, %b) {}
    %s = Sigmoid-0(%i) {}
    %y = Multiply-1(%x, %s) {})", "f32"), TextOf(R"(
    %b = Constant-0() {value: f32[] {1.702}}
    %y = Swish-4(%x, %b) {})", "f32"), kNear);
}

TEST(SwishFusionsTest, SigmoidReadElsewhereStays) {
  Stays(R"(
    %s = Sigmoid-0(%x) {}
    %q = Result-0(%s) {}
    %y = Multiply-1(%s, %x) {})");
}

TEST(SoftPlusFusionsTest, SoftPlusAndMish) {
  Becomes("SoftPlus-4(%x) {}", R"(
    %o = Constant-0() {value: TYPE[] {1}}
    %e = Exp-0(%x) {}
    %p = Add-1(%e, %o) {}
    %y = Log-0(%p) {})");
  Becomes("SoftPlus-4(%x) {}", R"(
    %o = Constant-0() {value: TYPE[] {1}}
    %a = Abs-0(%x) {}
    %n = Negative-0(%a) {}
    %e = Exp-0(%n) {}
    %p = Add-1(%e, %o) {}
    %l = Log-0(%p) {}
    %q = Relu-0(%x) {}
    %y = Add-1(%q, %l) {})");
  Becomes("Mish-4(%x) {}", R"(
    %o = Constant-0() {value: TYPE[] {1}}
    %e = Exp-0(%x) {}
    %p = Add-1(%e, %o) {}
    %l = Log-0(%p) {}
    %t = Tanh-0(%l) {}
    %y = Multiply-1(%x, %t) {})");
}

TEST(HardActivationFusionsTest, HSwish) {
  const char* kRamp = R"(
    %c = Constant-0() {value: TYPE[1] {3}}
    %s = Constant-0() {value: TYPE[] {6}}
    %a = Add-1(%x, %c) {}
    %q = Relu-0(%a) {}
    %m = Minimum-1(%q, %s) {})";
  const auto with = [&](absl::string_view rest) {
    return absl::StrCat(kRamp, rest);
  };
  Becomes("HSwish-4(%x) {}", with(R"(
    %p = Multiply-1(%x, %m) {}
    %y = Divide-1(%p, %s) {})"));
  Becomes("HSwish-4(%x) {}", with(R"(
    %p = Divide-1(%m, %s) {}
    %y = Multiply-1(%p, %x) {})"));
  Becomes("HSwish-4(%x) {}", with(R"(
    %i = Constant-0() {value: TYPE[] {0.16666667}}
    %p = Multiply-1(%x, %i) {}
    %y = Multiply-1(%p, %m) {})"));
  Becomes("HSigmoid-5(%x) {}", with(R"(
    %i = Constant-0() {value: TYPE[] {0.16666667}}
    %y = Multiply-1(%m, %i) {})"));
  Becomes("HSwish-4(%x) {}", R"(
    %i = Constant-0() {value: TYPE[] {0.16666667}}
    %h = Constant-0() {value: TYPE[] {0.5}}
    %g = HardSigmoid-0(%x, %i, %h) {}
    %y = Multiply-1(%x, %g) {})");
  Becomes("HSigmoid-5(%x) {}", R"(
    %i = Constant-0() {value: TYPE[] {0.16666667}}
    %h = Constant-0() {value: TYPE[] {0.5}}
    %a = Multiply-1(%x, %i) {}
    %b = Add-1(%a, %h) {}
    %y = Clamp-0(%b) {min: 0, max: 1})");
}

TEST(ClampFusionsTest, Bounds) {
  Becomes("Relu-0(%x) {}", R"(
    %z = Constant-0() {value: TYPE[1,1] {0}}
    %y = Maximum-1(%z, %x) {})");
  Becomes("Clamp-0(%x) {min: -1, max: 2}", R"(
    %a = Constant-0() {value: TYPE[] {-1}}
    %b = Constant-0() {value: TYPE[] {2}}
    %m = Maximum-1(%x, %a) {}
    %y = Minimum-1(%m, %b) {})");
  Becomes("Clamp-0(%x) {min: 0, max: 2}", R"(
    %b = Constant-0() {value: TYPE[] {2}}
    %m = Minimum-1(%x, %b) {}
    %y = Relu-0(%m) {})");
  Becomes("Clamp-0(%x) {min: 1, max: 2}", R"(
    %b = Clamp-0(%x) {min: -3, max: 2}
    %y = Clamp-0(%b) {min: 1, max: 5})");
}

TEST(ClampFusionsTest, WhatWidensStays) {
  Stays(R"(
    %z = Constant-0() {value: f32[1,1,1] {0}}
    %y = Maximum-1(%z, %x) {})");
  Stays(R"(
    %z = Constant-0() {value: f32[] {1}}
    %y = Maximum-1(%z, %x) {})");
}

TEST(ClampFusionsTest, Slopes) {
  FusionPass pass = AllActivations();
  RunAndCompare(pass, TextOf(R"(
    %a = Constant-0() {value: f32[] {0.125}}
    %m = Multiply-1(%x, %a) {}
    %y = Maximum-1(%x, %m) {})", "f32"), TextOf(R"(
    %a = Constant-0() {value: f32[1] {0.125}}
    %y = PRelu-0(%x, %a) {})", "f32"));
  RunAndCompare(pass, TextOf(R"(
    %a = Constant-0() {value: f32[3] {0.25, 0.25, 0.25}}
    %y = PRelu-0(%x, %a) {})", "f32"), TextOf(R"(
    %a = Constant-0() {value: f32[1] {0.25}}
    %y = PRelu-0(%x, %a) {})", "f32"));
}

}  // namespace
}  // namespace dovetail
