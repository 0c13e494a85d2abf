#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/transformations/fusion/arithmetic/rules.h"
#include "dovetail/transformations/fusion/common/fusion_pass.h"
#include "dovetail/transformations/fusion/normalization/rms_norm_pattern.h"
#include "dovetail/transformations/fusion/normalization/rules.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr CompareOptions kNear = {.tolerance = 1e-4};

FusionPass Normalizations() {
  return FusionPass("test",
                    {&ConstantOperandFusions, &RmsNormFusions, &MvnFusions,
                     &NormalizeL2Fusions, &GroupNormFusions,
                     &SoftmaxFusions});
}

void Becomes(absl::string_view after, absl::string_view before) {
  SCOPED_TRACE(std::string(before));
  FusionPass pass = Normalizations();
  const auto model = [](absl::string_view lines) {
    return absl::StrCat(
        "%x = Parameter-0() {shape: [?,3,4], element_type: f32}\n", lines,
        "\n%r = Result-0(%y) {}");
  };
  RunAndCompare(pass, model(before), model(after), kNear);
}

constexpr char kMvn[] = R"(
    %a = Constant-0() {value: i64[1] {2}}
    %y = MVN-6(%x, %a) {eps: 0.125, normalize_variance: true, eps_mode: MODE})";

std::string Mvn(absl::string_view mode) {
  std::string text = kMvn;
  return text.replace(text.find("MODE"), 4, std::string(mode));
}

TEST(MvnFusionsTest, Quotient) {
  const std::string before = R"(
    %a = Constant-0() {value: i64[1] {-1}}
    %e = Constant-0() {value: f32[] {0.125}}
    %m = ReduceMean-1(%x, %a) {keep_dims: true}
    %d = Subtract-1(%x, %m) {}
    %k = Constant-0() {value: f32[] {2}}
    %s = Power-1(%d, %k) {}
    %v = ReduceMean-1(%s, %a) {keep_dims: true})";
  Becomes(Mvn("INSIDE_SQRT"), absl::StrCat(before, R"(
    %w = Add-1(%v, %e) {}
    %q = Sqrt-0(%w) {}
    %y = Divide-1(%d, %q) {})"));
  Becomes(Mvn("OUTSIDE_SQRT"), absl::StrCat(before, R"(
    %q = Sqrt-0(%v) {}
    %w = Add-1(%e, %q) {}
    %y = Divide-1(%d, %w) {})"));
}

TEST(MvnFusionsTest, ProductAndSquaredDifference) {
  Becomes(Mvn("INSIDE_SQRT"), R"(
    %a = Constant-0() {value: i64[1] {-1}}
    %e = Constant-0() {value: f32[1] {0.125}}
    %h = Constant-0() {value: f32[] {-0.5}}
    %m = ReduceMean-1(%x, %a) {keep_dims: true}
    %n = Negative-0(%m) {}
    %d = Add-1(%x, %n) {}
    %s = SquaredDifference-0(%x, %m) {}
    %v = ReduceMean-1(%s, %a) {keep_dims: true}
    %w = Add-1(%v, %e) {}
    %q = Power-1(%w, %h) {}
    %y = Multiply-1(%q, %d) {})");
}

TEST(MvnFusionsTest, VarianceByMeans) {
  Becomes(Mvn("INSIDE_SQRT"), R"(
    %a = Constant-0() {value: i64[1] {-1}}
    %e = Constant-0() {value: f32[] {0.125}}
    %m = ReduceMean-1(%x, %a) {keep_dims: true}
    %d = Subtract-1(%x, %m) {}
    %s = Multiply-1(%x, %x) {}
    %t = ReduceMean-1(%s, %a) {keep_dims: true}
    %u = Multiply-1(%m, %m) {}
    %v = Subtract-1(%t, %u) {}
    %w = Add-1(%v, %e) {}
    %q = Sqrt-0(%w) {}
    %y = Divide-1(%d, %q) {})");
}

TEST(MvnFusionsTest, ByMoments) {
  Becomes(R"(
    %g = Constant-0() {value: f32[4] {1, 2, 3, 4}}
    %b = Constant-0() {value: f32[4] {4, 3, 2, 1}}
    %a = Constant-0() {value: i64[1] {2}}
    %n = MVN-6(%x, %a) {eps: 0.125, normalize_variance: true, eps_mode: INSIDE_SQRT}
    %s = Multiply-1(%n, %g) {}
    %y = Add-1(%s, %b) {})", R"(
    %a = Constant-0() {value: i64[1] {2}}
    %e = Constant-0() {value: f32[] {0.125}}
    %g = Constant-0() {value: f32[4] {1, 2, 3, 4}}
    %b = Constant-0() {value: f32[4] {4, 3, 2, 1}}
    %h = Constant-0() {value: f32[] {-0.5}}
    %m = ReduceMean-1(%x, %a) {keep_dims: true}
    %s = SquaredDifference-0(%x, %m) {}
    %v = ReduceMean-1(%s, %a) {keep_dims: true}
    %w = Add-1(%v, %e) {}
    %q = Power-1(%w, %h) {}
    %t = Multiply-1(%q, %g) {}
    %u = Multiply-1(%x, %t) {}
    %o = Multiply-1(%m, %t) {}
    %p = Subtract-1(%b, %o) {}
    %y = Add-1(%u, %p) {})");
}

TEST(MvnFusionsTest, OtherMeansStay) {
  FusionPass pass = Normalizations();
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2,3,4], element_type: f32}
    %a = Constant-0() {value: i64[1] {-1}}
    %b = Constant-0() {value: i64[1] {1}}
    %e = Constant-0() {value: f32[] {0.125}}
    %m = ReduceMean-1(%x, %a) {keep_dims: true}
    %d = Subtract-1(%x, %m) {}
    %s = Multiply-1(%d, %d) {}
    %v = ReduceMean-1(%s, %b) {keep_dims: true}
    %w = Add-1(%v, %e) {}
    %q = Sqrt-0(%w) {}
    %y = Divide-1(%d, %q) {}
    %r = Result-0(%y) {})");
}

TEST(NormalizeL2FusionsTest, SumAndLength) {
  Becomes(R"(
    %a = Constant-0() {value: i64[2] {1, 2}}
    %y = NormalizeL2-0(%x, %a) {eps: 0.5, eps_mode: add})", R"(
    %a = Constant-0() {value: i64[2] {2, 1}}
    %e = Constant-0() {value: f32[] {0.5}}
    %s = Multiply-1(%x, %x) {}
    %v = ReduceSum-1(%s, %a) {keep_dims: true}
    %w = Add-1(%v, %e) {}
    %q = Sqrt-0(%w) {}
    %y = Divide-1(%x, %q) {})");
  Becomes(R"(
    %a = Constant-0() {value: i64[1] {1}}
    %y = NormalizeL2-0(%x, %a) {eps: 0.25, eps_mode: max})", R"(
    %a = Constant-0() {value: i64[1] {1}}
    %e = Constant-0() {value: f32[] {0.5}}
    %v = ReduceL2-4(%x, %a) {keep_dims: true}
    %w = Maximum-1(%v, %e) {}
    %y = Divide-1(%x, %w) {})");
}

TEST(SoftmaxFusionsTest, WithAndWithoutMaximum) {
  const char* kSoftmax = "%y = Softmax-8(%x) {axis: 1}";
  const std::string axis = "%a = Constant-0() {value: i64[1] {-2}}\n";
  Becomes(kSoftmax, axis + R"(
    %m = ReduceMax-1(%x, %a) {keep_dims: true}
    %d = Subtract-1(%x, %m) {}
    %e = Exp-0(%d) {}
    %s = ReduceSum-1(%e, %a) {keep_dims: true}
    %y = Divide-1(%e, %s) {})");
  Becomes(kSoftmax, axis + R"(
    %e = Exp-0(%x) {}
    %s = ReduceSum-1(%e, %a) {keep_dims: true}
    %y = Divide-1(%e, %s) {})");
}

constexpr char kRms[] = R"(
    %x = Parameter-0() {shape: [?,3,4], element_type: f32}  # x
    %g = Constant-0() {value: f32[4] {1, 2, 3, 4}}  # g
    %a = Constant-0() {value: i64[1] {-1}}  # a
    %e = Constant-0() {value: f32[1,1,1] {0.125}}  # e
    %o = Constant-0() {value: f32[1,1,1] {1}}  # o
    %k = Constant-0() {value: f32[] {2}}  # k
    %s = Power-1(%x, %k) {}  # s
    %v = ReduceMean-1(%s, %a) {keep_dims: true}  # v
    %w = Add-1(%v, %e) {}  # w
    %q = Sqrt-0(%w) {}  # q
    %i = Divide-1(%o, %q) {}  # i
    %n = Multiply-1(%x, %i) {}  # n
    %y = Multiply-1(%g, %n) {}  # y
    %r = Result-0(%y) {}  # r)";

TEST(RmsNormFusionsTest, OneFormThatIsRecognised) {
  FusionPass pass = Normalizations();
  Model model = ParseOrFail(kRms);
  const auto original = model.Clone();
  ASSERT_TRUE(pass.Run(model).value());
  ExpectSameResults(*original, model, 1e-5);
  const Node* quotient = model.FindNode("n");
  ASSERT_TRUE(quotient->Is("Divide"));
  EXPECT_EQ(FusedNames(*quotient), (std::set<std::string>{"i", "n", "o", "q"}));
  for (const Model* each : {&model, original.get()}) {
    const auto norm = MatchRmsNorm(*each->FindNode("y"));
    ASSERT_TRUE(norm.has_value());
    EXPECT_EQ(norm->x.node->name(), "x");
    EXPECT_EQ(norm->gamma.node->name(), "g");
    EXPECT_EQ(norm->axes, std::vector<int64_t>{2});
    EXPECT_EQ(norm->eps, 0.125);
    EXPECT_EQ(norm->nodes.size(), each == &model ? 6u : 7u);
  }
}

TEST(RmsNormFusionsTest, OthersAreNotRecognised) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2,4], element_type: f32}
    %z = Parameter-0() {shape: [2,4], element_type: f32}
    %a = Constant-0() {value: i64[1] {-1}}
    %s = Multiply-1(%z, %z) {}
    %v = ReduceMean-1(%s, %a) {keep_dims: true}
    %q = Sqrt-0(%v) {}
    %y = Divide-1(%x, %q) {}  # y
    %r = Result-0(%y) {})");
  EXPECT_FALSE(MatchRmsNorm(*model.FindNode("y")).has_value());
}

TEST(GroupNormFusionsTest, MoreAxes) {
  FusionPass pass = Normalizations();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2,3,2,4], element_type: f32}
    %s = Constant-0() {value: i64[3] {0, 3, -1}}
    %t = Constant-0() {value: i64[4] {2, 3, 2, 4}}
    %a = Constant-0() {value: i64[1] {2}}
    %u = Reshape-1(%x, %s) {special_zero: true}
    %m = MVN-6(%u, %a) {eps: 0.125, normalize_variance: true, eps_mode: INSIDE_SQRT}
    %y = Reshape-1(%m, %t) {special_zero: false}
    %r = Result-0(%y) {})",
                R"(
    %x = Parameter-0() {shape: [2,3,2,4], element_type: f32}
    %a = Constant-0() {value: i64[2] {2, 3}}
    %m = MVN-6(%x, %a) {eps: 0.125, normalize_variance: true, eps_mode: INSIDE_SQRT}
    %r = Result-0(%m) {})", kNear);
}

TEST(GroupNormFusionsTest, Groups) {
  FusionPass pass = Normalizations();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2,4,2,3], element_type: f32}
    %s = Constant-0() {value: i64[3] {0, 2, -1}}
    %t = Constant-0() {value: i64[4] {2, 4, 2, 3}}
    %a = Constant-0() {value: i64[1] {-1}}
    %g = Constant-0() {value: f32[1,4,1,1] {1, 2, 3, 4}}
    %b = Constant-0() {value: f32[4,1,1] {4, 3, 2, 1}}
    %u = Reshape-1(%x, %s) {special_zero: true}
    %m = MVN-6(%u, %a) {eps: 0.125, normalize_variance: true, eps_mode: INSIDE_SQRT}
    %v = Reshape-1(%m, %t) {special_zero: false}
    %w = Multiply-1(%v, %g) {}
    %y = Add-1(%b, %w) {}
    %r = Result-0(%y) {})",
                R"(
    %x = Parameter-0() {shape: [2,4,2,3], element_type: f32}
    %g = Constant-0() {value: f32[4] {1, 2, 3, 4}}
    %b = Constant-0() {value: f32[4] {4, 3, 2, 1}}
    %y = GroupNormalization-12(%x, %g, %b) {num_groups: 2, epsilon: 0.125}
    %r = Result-0(%y) {})", kNear);
}

}  // namespace
}  // namespace dovetail
