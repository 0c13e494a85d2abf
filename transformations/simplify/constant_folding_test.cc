#include "dovetail/transformations/simplify/constant_folding.h"

#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(ConstantFoldingTest, ComputesWhatDoesNotDependOnInputs) {
  ConstantFolding pass;
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %a = Constant-0() {value: f32[2] {1, 2}}  # a
    %b = Constant-0() {value: f32[1] {3}}  # b
    %c = Add-1(%a, %b) {}  # c
    %d = Multiply-1(%c, %b) {}  # d
    %e = Add-1(%x, %d) {}  # e
    %r = Result-0(%e) {}  # r)",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %d = Constant-0() {value: f32[2] {12, 15}}  # d
    %e = Add-1(%x, %d) {}  # e
    %r = Result-0(%e) {}  # r)");
}

TEST(ConstantFoldingTest, NotesWhatAConstantStandsFor) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %a = Constant-0() {value: f32[2] {1, 2}}  # a
    %c = Relu-0(%a) {}  # c
    %d = Abs-0(%c) {}  # d
    %e = Add-1(%x, %d) {}  # e
    %r = Result-0(%e) {}  # r)");
  ASSERT_TRUE(ConstantFolding().Run(model).value());
  EXPECT_EQ(FusedNames(*model.FindNode("d")),
            (std::set<std::string>{"a", "c", "d"}));
}

TEST(ConstantFoldingTest, ConstantOutputKeepsItsName) {
  ConstantFolding pass;
  RunAndCompare(pass, R"(
    %a = Constant-0() {value: f32[2] {-1, 2}}  # a
    %b = Relu-0(%a) {} : f32[2] "out"  # b
    %r = Result-0(%b) {}  # r)",
                R"(
    %b = Constant-0() {value: f32[2] {0, 2}} : f32[2] "out"  # b
    %r = Result-0(%b) {}  # r)");
}

TEST(ConstantFoldingTest, AllOutputsBecomeConstants) {
  ConstantFolding pass;
  RunAndCompare(pass, R"(
    %a = Constant-0() {value: i32[4] {1, 2, 3, 4}}
    %c = Constant-0() {value: i64[] {0}}
    %s = Split-1(%a, %c) {num_splits: 2}
    %q = Result-0(%s) {}
    %r = Result-0(%s:1) {})",
                R"(
    %a = Constant-0() {value: i32[2] {1, 2}}
    %b = Constant-0() {value: i32[2] {3, 4}}
    %q = Result-0(%a) {}
    %r = Result-0(%b) {})");
}

TEST(ConstantFoldingTest, KnownShapesFold) {
  ConstantFolding pass;
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %s = ShapeOf-3(%x) {output_type: i32}
    %r = Result-0(%s) {})",
                R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %s = Constant-0() {value: i32[2] {2, 3}}
    %r = Result-0(%s) {})");
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [?,3], element_type: f32}
    %s = ShapeOf-3(%x) {output_type: i32}
    %r = Result-0(%s) {})");
}

TEST(ConstantFoldingTest, FoldsBodies) {
  Model model = LoopTestModel();
  Model& body = *model.FindNode("loop")->bodies()[0]->model;
  body = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Constant-0() {value: f32[1] {-1}}
    %b = Relu-0(%a) {}  # b
    %c = Add-1(%x, %b) {}
    %r = Result-0(%c) {})");
  ASSERT_TRUE(model.Infer().ok());
  ASSERT_TRUE(ConstantFolding().Run(model).value());
  EXPECT_TRUE(body.FindNode("b")->Is("Constant"));
}

TEST(ConstantFoldingTest, RandomNumbersStayRandom) {
  ConstantFolding pass;
  RunAndExpectNoChange(pass, R"(
    %s = Constant-0() {value: i64[1] {4}}
    %a = Constant-0() {value: f32[] {0}}
    %b = Constant-0() {value: f32[] {1}}
    %u = RandomUniform-8(%s, %a, %b) {output_type: f32}
    %r = Result-0(%u) {})");
}

TEST(ConstantFoldingTest, DoesNotMakeModelsHuge) {
  constexpr char kText[] = R"(
    %a = Constant-0() {value: f32[1] {1}}
    %n = Constant-0() {value: i64[1] {1000}}
    %t = Tile-0(%a, %n) {}
    %r = Result-0(%t) {})";
  ConstantFoldingOptions options;
  options.max_output_bytes = 3999;
  ConstantFolding small(options);
  RunAndExpectNoChange(small, kText);
  options.max_output_bytes = 4000;
  options.max_growth_bytes = 100;
  ConstantFolding slow(options);
  RunAndExpectNoChange(slow, kText);
  options.max_growth_bytes = 4000;
  Model model = ParseOrFail(kText);
  EXPECT_TRUE(ConstantFolding(options).Run(model).value());
}

TEST(ConstantFoldingTest, MarkedNodesStay) {
  Model model = ParseOrFail(R"(
    %a = Constant-0() {value: f16[2] {1, 2}}
    %c = Convert-0(%a) {destination_type: f32}  # c
    %r = Result-0(%c) {})");
  model.FindNode("c")->rt_info().Set({"decompression_0"}, "");
  ConstantFoldingOptions options;
  options.fold_decompression = false;
  EXPECT_FALSE(ConstantFolding(options).Run(model).value());
  const auto clone = model.Clone();
  EXPECT_TRUE(ConstantFolding().Run(*clone).value());
  model.FindNode("c")->rt_info().Set({"DisableConstantFolding_0"}, "");
  EXPECT_FALSE(ConstantFolding().Run(model).value());
}

TEST(ConstantFoldingTest, WhatFailsIsLeftForLater) {
  ConstantFolding pass;
  RunAndExpectNoChange(pass, R"(
    %a = Constant-0() {value: i32[2] {1, 2}}
    %z = Constant-0() {value: i32[1] {0}}
    %d = Divide-1(%a, %z) {}
    %r = Result-0(%d) {})");
}

}  // namespace
}  // namespace dovetail
