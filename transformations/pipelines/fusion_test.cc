#include "dovetail/transformations/pipelines/fusion.h"

#include "dovetail/core/graph/fused_names.h"
#include "dovetail/transformations/decompose/decompose.h"
#include "dovetail/transformations/pipelines/common.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

constexpr CompareOptions kNear = {.tolerance = 1e-4};

TEST(FusionPassesTest, RulesHelpEachOther) {
  PassManager manager("test");
  AddFusionPasses(manager);
  // The shape between is in the way of the normalization's factor and of the
  // activation; both go into or behind the convolution.
  RunAndCompare(manager, R"(
    %x = Parameter-0() {shape: [1,1,4,4], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,1] {1, 2}}
    %g = Constant-0() {value: f32[2] {2, 4}}
    %b = Constant-0() {value: f32[2] {1, 1}}
    %m = Constant-0() {value: f32[2] {3, 5}}
    %v = Constant-0() {value: f32[2] {0.75, 3.75}}
    %o = Constant-0() {value: i64[4] {0, 2, 3, 1}}
    %p = Constant-0() {value: i64[4] {0, 3, 1, 2}}
    %three = Constant-0() {value: f32[] {3}}
    %zero = Constant-0() {value: f32[] {0}}
    %six = Constant-0() {value: f32[] {6}}
    %c = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %n = BatchNormInference-5(%c, %g, %b, %m, %v) {epsilon: 0.25}
    %t = Transpose-1(%n, %o) {}
    %a = Add-1(%t, %three) {}
    %l = Maximum-1(%a, %zero) {}
    %h = Minimum-1(%l, %six) {}
    %q = Divide-1(%h, %six) {}
    %s = Multiply-1(%t, %q) {}
    %u = Transpose-1(%s, %p) {}
    %r = Result-0(%u) {})",
                R"(
    %x = Parameter-0() {shape: [1,1,4,4], element_type: f32}
    %w = Constant-0() {value: f32[2,1,1,1] {2, 4}}
    %b = Constant-0() {value: f32[1,2,1,1] {-5, -9}}
    %c = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0], auto_pad: explicit}
    %n = Add-1(%c, %b) {}
    %s = HSwish-4(%n) {}
    %r = Result-0(%s) {})", kNear);
}

TEST(FusionPassesTest, NewNodesStandForAllOfTheOldOnes) {
  PassManager manager("test");
  AddFusionPasses(manager);
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [?,3], element_type: f32}  # x
    %o = Constant-0() {value: f32[] {1}}  # one
    %e = Exp-0(%x) {}  # exp
    %p = Add-1(%e, %o) {}  # sum
    %l = Log-0(%p) {}  # log
    %t = Tanh-0(%l) {}  # tanh
    %y = Multiply-1(%x, %t) {} : f32[?,3] "out"  # product
    %r = Result-0(%y) {}  # result)");
  ASSERT_TRUE(manager.Run(model).value());
  const Node* mish = model.FindNode("product");
  ASSERT_NE(mish, nullptr);
  EXPECT_TRUE(mish->Is("Mish"));
  EXPECT_EQ(FusedNames(*mish), (std::set<std::string>{"exp", "log", "one",
                                                      "product", "sum",
                                                      "tanh"}));
  EXPECT_EQ(model.OutputName(0), "out");
}

// What is said by simpler operations, in the ways of our own decompositions, is
// recognised again.
TEST(FusionPassesTest, UndoesDecompositions) {
  Model model = ParseOrFail(R"(
    %q = Parameter-0() {shape: [1,2,3,4], element_type: f32}
    %k = Parameter-0() {shape: [1,2,5,4], element_type: f32}
    %a = ScaledDotProductAttention-13(%q, %k, %k) {causal: false}
    %b = Gelu-7(%a) {approximation_mode: erf}
    %c = Gelu-7(%b) {approximation_mode: tanh}
    %d = HSwish-4(%c) {}
    %e = Swish-4(%d) {}
    %f = Mish-4(%e) {}
    %g = SoftPlus-4(%f) {}
    %x = Constant-0() {value: i64[1] {3}}
    %h = MVN-6(%g, %x) {eps: 0.125, normalize_variance: true, eps_mode: INSIDE_SQRT}
    %i = NormalizeL2-0(%h, %x) {eps: 0.125, eps_mode: add}
    %j = HSigmoid-5(%i) {}
    %r = Result-0(%j) {})");
  const auto original = model.Clone();
  const NodePredicate is_native =
      IsOneOf({"Negative", "ReduceMean", "ReduceMax", "ReduceSum"});
  ASSERT_TRUE(Decompose(is_native).Run(model).value());
  PassManager manager("test");
  AddCommonPasses(manager);
  AddFusionPasses(manager);
  ASSERT_TRUE(manager.Run(model).value());
  ExpectSameResults(*original, model, 1e-4);
  for (const char* type :
       {"ScaledDotProductAttention", "Gelu", "HSwish", "Swish", "Mish",
        "SoftPlus", "MVN", "NormalizeL2", "HSigmoid"}) {
    bool found = false;
    for (const auto& node : model.nodes())
      found |= node->Is(OpType::Named(type));
    EXPECT_TRUE(found) << type << "\n" << model.ToString();
  }
}

TEST(FusionPassesTest, LeavesWhatItDoesNotKnow) {
  PassManager manager("test");
  AddFusionPasses(manager);
  RunAndExpectNoChange(manager, R"(
    %x = Parameter-0() {shape: [...], element_type: f32}
    %y = Parameter-0() {shape: [...], element_type: f32}
    %a = Add-1(%x, %y) {}
    %b = MatMul-0(%a, %y) {transpose_a: false, transpose_b: false}
    %s = Softmax-8(%b) {axis: -1}
    %m = MatMul-0(%s, %x) {transpose_a: false, transpose_b: false}
    %r = Result-0(%m) {})");
}

}  // namespace
}  // namespace dovetail
