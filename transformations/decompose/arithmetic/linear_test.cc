#include "absl/strings/str_cat.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"
#include "dovetail/transformations/testing/check_rules.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::string Inputs(const std::vector<std::string>& shapes) {
  std::string text;
  for (size_t i = 0; i < shapes.size(); ++i) {
    absl::StrAppend(&text, "%", std::string(1, 'a' + i),
                    " = Parameter-0() {shape: ", shapes[i],
                    ", element_type: f32}\n");
  }
  return text;
}

void CheckEinsum(absl::string_view equation,
                 const std::vector<std::string>& shapes) {
  const RuleCheck check(EinsumDecompositions());
  std::string names;
  for (size_t i = 0; i < shapes.size(); ++i) {
    absl::StrAppend(&names, i == 0 ? "%" : ", %", std::string(1, 'a' + i));
  }
  check.ExpectReplaced(
      "Einsum", absl::StrCat(Inputs(shapes), "%y = Einsum-7(", names,
                             ") {equation: \"", equation,
                             "\"}\n%r = Result-0(%y) {}"));
}

TEST(EinsumDecompositionsTest, OfOne) {
  CheckEinsum("ij->ji", {"[2,?]"});
  CheckEinsum("ijk->k", {"[2,?,3]"});
  CheckEinsum("ij->", {"[2,?]"});
  CheckEinsum("iij->ji", {"[3,3,?]"});
  CheckEinsum("jii", {"[2,3,3]"});
  CheckEinsum("i...->...i", {"[2,?,4]"});
}

TEST(EinsumDecompositionsTest, OfTwo) {
  CheckEinsum("ij,jk->ik", {"[2,3]", "[3,4]"});
  CheckEinsum("ij,jk->ik", {"[?,3]", "[3,?]"});
  CheckEinsum("ij,jk->ik", {"[2,?]", "[?,4]"});
  CheckEinsum("bij,bkj->bki", {"[?,2,3]", "[?,4,3]"});
  CheckEinsum("abcd,cdab->bd", {"[2,3,4,5]", "[4,5,2,3]"});
  CheckEinsum("bhqd,bhkd->bhqk", {"[1,2,3,4]", "[?,2,5,4]"});
  CheckEinsum("i,j->ij", {"[?]", "[3]"});
  CheckEinsum("i,i->", {"[4]", "[4]"});
  CheckEinsum("i,i->", {"[1]", "[4]"});
  CheckEinsum("i,i->i", {"[1]", "[?]"});
  CheckEinsum("...ij,...jk->...ik", {"[2,1,2,3]", "[4,3,2]"});
  CheckEinsum("ij,kl->k", {"[2,3]", "[4,?]"});
}

TEST(EinsumDecompositionsTest, OfMore) {
  CheckEinsum("ij,jk,kl->il", {"[2,3]", "[3,4]", "[4,5]"});
  CheckEinsum("i,ij,j", {"[2]", "[2,3]", "[3]"});
  CheckEinsum("ab,cab,b->ca", {"[2,?]", "[3,2,?]", "[?]"});
}

void CheckAttention(const std::vector<std::string>& shapes,
                    absl::string_view names, absl::string_view attributes) {
  const RuleCheck check(AttentionDecompositions());
  check.ExpectReplaced(
      "ScaledDotProductAttention",
      absl::StrCat(Inputs(shapes), R"(
        %m = Constant-0() {value: boolean[2,3] {1, 0, 1, 1, 1, 0}}
        %n = Constant-0() {value: f32[] {0}}
        %s = Constant-0() {value: f32[1] {0.25}}
        %k = Constant-0() {value: f32[1,1] {0.5}}
        %y = ScaledDotProductAttention-13()", names, ") {", attributes,
                   "}\n%r = Result-0(%y) {}"));
}

TEST(AttentionDecompositionsTest, Forms) {
  for (const std::vector<std::string>& shapes :
       {std::vector<std::string>{"[2,2,4]", "[2,3,4]", "[2,3,5]"},
        std::vector<std::string>{"[?,2,?]", "[?,3,?]", "[?,3,?]"},
        std::vector<std::string>{"[2,1,2,4]", "[1,3,3,4]", "[1,3,3,5]"}}) {
    CheckAttention(shapes, "%a, %b, %c", "causal: true");
    CheckAttention(shapes, "%a, %b, %c", "causal: false");
    CheckAttention(shapes, "%a, %b, %c, %m", "");
    CheckAttention(shapes, "%a, %b, %c, %n, %s", "causal: true");
    CheckAttention(shapes, "%a, %b, %c, %m, %s, %k", "");
  }
}

std::string Pool(absl::string_view op, absl::string_view shape,
                 absl::string_view extents) {
  return absl::StrCat(Inputs({std::string(shape)}),
                      "%s = Constant-0() {value: i64", extents, "}\n%y = ", op,
                      "(%a, %s) {}\n%r = Result-0(%y) {}");
}

TEST(PoolingDecompositionsTest, AdaptiveAvgPool) {
  const RuleCheck check(PoolingDecompositions());
  const absl::string_view op = "AdaptiveAvgPool-8";
  check.ExpectReplaced(op, Pool(op, "[?,2,6,4]", "[2] {3, 1}"));
  check.ExpectReplaced(op, Pool(op, "[2,?,7,4]", "[2] {3, 4}"));
  check.ExpectReplaced(op, Pool(op, "[1,2,5]", "[1] {8}"));
  check.ExpectDeclined(op, Pool(op, "[1,2,?]", "[1] {2}"));
}

TEST(PoolingDecompositionsTest, AdaptiveMaxPool) {
  const RuleCheck check(PoolingDecompositions());
  const absl::string_view op = "AdaptiveMaxPool-8";
  check.ExpectReplaced(op, Pool(op, "[?,2,6,4]", "[2] {3, 1}") +
                               "\n%q = Result-0(%y:1) {}");
  check.ExpectDeclined(op, Pool(op, "[1,2,5]", "[1] {2}"));
}

}  // namespace
}  // namespace dovetail
