#include "absl/strings/str_cat.h"
#include "dovetail/core/ops/text/parse.h"
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

bool Waits(absl::string_view equation, const std::vector<std::string>& shapes) {
  auto model = ParseModelText(
      absl::StrCat(Inputs(shapes), "%y = Einsum-7(%a, %b) {equation: \"",
                   equation, "\"}\n%r = Result-0(%y) {}"));
  EXPECT_TRUE(model.ok()) << model.status();
  if (!model.ok()) return false;
  EXPECT_EQ(model->Infer(), absl::OkStatus());
  return !KnowsSummedExtents(*model->results()[0]->input(0).node);
}

TEST(EinsumDecompositionsTest, WhatOnlyShapesTellWaits) {
  EXPECT_TRUE(Waits("ij,jk->ik", {"[2,?]", "[?,4]"}));
  EXPECT_TRUE(Waits("ij,jk->ik", {"[2,3]", "[?,4]"}));
  EXPECT_TRUE(Waits("b...j,j->b...", {"[2,5,?]", "[3]"}));
  EXPECT_FALSE(Waits("ij,jk->ik", {"[?,3]", "[3,?]"}));
  EXPECT_FALSE(Waits("ij,kl->k", {"[2,?]", "[4,?]"}));
  EXPECT_FALSE(Waits("ij,jk->ijk", {"[2,?]", "[?,4]"}));
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

TEST(BroadcastingDecompositionsTest, Pdpd) {
  const RuleCheck check(BroadcastingDecompositions());
  for (absl::string_view op : {"Add-1", "Divide-1", "Less-1", "Power-1"}) {
    for (absl::string_view shape : {"[2]", "[2,3]", "[2,1]", "[]"}) {
      check.ExpectChanged(absl::StrCat(
          Inputs({"[2,3,?]", std::string(shape)}), "%y = ", op,
          "(%a, %b) {auto_broadcast: pdpd}\n%r = Result-0(%y) {}"));
    }
    check.ExpectDeclined(op.substr(0, op.size() - 2),
                         absl::StrCat(Inputs({"[2,3]", "[3]"}), "%y = ", op,
                                      "(%a, %b) {}\n%r = Result-0(%y) {}"));
  }
}

TEST(ConvolutionDecompositionsTest, OneGroup) {
  const RuleCheck check(ConvolutionDecompositions());
  const absl::string_view window =
      "strides: [2], pads_begin: [1], pads_end: [0], dilations: [2]";
  for (absl::string_view data : {"[1,2,7]", "[?,2,5..]"}) {
    check.ExpectReplaced(
        "Convolution",
        absl::StrCat(Inputs({std::string(data), "[3,2,2]"}),
                     "%y = Convolution-1(%a, %b) {", window,
                     "}\n%r = Result-0(%y) {}"));
    check.ExpectReplaced(
        "ConvolutionBackpropData",
        absl::StrCat(Inputs({std::string(data), "[2,3,2]"}),
                     "%y = ConvolutionBackpropData-1(%a, %b) {", window,
                     ", output_padding: [1]}\n%r = Result-0(%y) {}"));
  }
  check.ExpectReplaced("ConvolutionBackpropData",
                       absl::StrCat(Inputs({"[1,2,7]", "[2,3,2]"}), R"(
    %s = Constant-0() {value: i64[1] {15}}
    %y = ConvolutionBackpropData-1(%a, %b, %s) {strides: [2], dilations: [1],
         pads_begin: [0], pads_end: [0], auto_pad: same_upper}
    %r = Result-0(%y) {})"));
}

TEST(GroupedMatMulDecompositionsTest, Forms) {
  const RuleCheck check(GroupedMatMulDecompositions());
  const auto product = [](const std::vector<std::string>& shapes,
                          absl::string_view names) {
    return absl::StrCat(Inputs(shapes), R"(
      %e = Constant-0() {value: i32[3] {2, 2, 4}}
      %y = GroupedMatMul-17()", names, ") {}\n%r = Result-0(%y) {}");
  };
  const absl::string_view op = "GroupedMatMul";
  check.ExpectReplaced(op, product({"[3,?,2]", "[3,4,2]"}, "%a, %b"));
  check.ExpectReplaced(op, product({"[5,2]", "[3,4,2]"}, "%a, %b, %e"));
  check.ExpectReplaced(op, product({"[5,?]", "[3,4,?]", "[3,4]"},
                                   "%a, %b, %e, %c"));
  check.ExpectReplaced(op, product({"[2,5]", "[4,5]"}, "%a, %b, %e"));
  check.ExpectReplaced(op, product({"[?,5]", "[4,5]", "[3,4]"},
                                   "%a, %b, %e, %c"));
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
