#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const RuleCheck check(ActivationDecompositions());

// The operation of %x and the parameters %a and %b, for an input of unknown
// extents, and where formulas that are not careful overflow.
void Check(absl::string_view op, absl::string_view call) {
  const std::string rest = absl::StrCat(R"(
    %a = Constant-0() {value: f32[] {1.5}}
    %b = Constant-0() {value: f32[1] {0.25}}
    %y = )", call, "\n%r = Result-0(%y) {}");
  check.ExpectReplaced(op, absl::StrCat(
      "%x = Parameter-0() {shape: [?,3], element_type: f32}", rest));
  check.ExpectReplaced(op, absl::StrCat(
      "%x = Constant-0() {value: f32[6] {-1000, -90, -0.0, 0, 90, 1000}}",
      rest));
}

TEST(ActivationDecompositionsTest, Exponential) {
  Check("Elu", "Elu-0(%x) {alpha: 0.5}");
  Check("Selu", "Selu-0(%x, %a, %b) {}");
  Check("SoftPlus", "SoftPlus-4(%x) {}");
  Check("Mish", "Mish-4(%x) {}");
  Check("Swish", "Swish-4(%x) {}");
  Check("Swish", "Swish-4(%x, %a) {}");
}

TEST(ActivationDecompositionsTest, Gelu) {
  Check("Gelu", "Gelu-0(%x) {}");
  Check("Gelu", "Gelu-7(%x) {approximation_mode: erf}");
  Check("Gelu", "Gelu-7(%x) {approximation_mode: tanh}");
}

TEST(ActivationDecompositionsTest, Piecewise) {
  Check("HardSigmoid", "HardSigmoid-0(%x, %b, %a) {}");
  Check("HSigmoid", "HSigmoid-5(%x) {}");
  Check("HSwish", "HSwish-4(%x) {}");
  Check("SoftSign", "SoftSign-9(%x) {}");
}

}  // namespace
}  // namespace dovetail
