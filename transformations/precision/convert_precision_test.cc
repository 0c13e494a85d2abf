#include "dovetail/transformations/precision/convert_precision.h"

#include "absl/strings/str_replace.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

ConvertPrecision ToF32() {
  return ConvertPrecision({ElementType::kF16, ElementType::kBf16},
                          ElementType::kF32);
}

constexpr CompareOptions kRounded = {.tolerance = 2e-3};

TEST(ConvertPrecisionTest, BordersKeepTheirTypes) {
  ConvertPrecision pass = ToF32();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f16} : f16[2] "in"  # x
    %c = Constant-0() {value: f16[1] {0.5}}  # c
    %a = Multiply-1(%x, %c) {} : f16[2] "out"  # a
    %r = Result-0(%a) {}  # r)",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f16} : f16[2] "in"  # x
    %y = Convert-0(%x) {destination_type: f32}  # x/f32
    %c = Constant-0() {value: f32[1] {0.5}}  # c
    %a = Multiply-1(%y, %c) {}  # a
    %z = Convert-0(%a) {destination_type: f16} : f16[2] "out"  # a/f16
    %r = Result-0(%z) {}  # r)",
                kRounded);
}

TEST(ConvertPrecisionTest, RunsOnlyOnce) {
  ConvertPrecision pass = ToF32();
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f16}
    %y = Convert-0(%x) {destination_type: f32}
    %a = Relu-0(%y) {}
    %z = Convert-0(%a) {destination_type: f16}
    %r = Result-0(%z) {})");
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f16}
    %r = Result-0(%x) {})");
}

TEST(ConvertPrecisionTest, RandomNumbersAreDrawnInTheirOwnType) {
  ConvertPrecision pass = ToF32();
  const std::string converted = R"(
    %s = Constant-0() {value: i64[1] {4}}  # s
    %l = Constant-0() {value: f32[] {0}}  # l
    %m = Convert-0(%l) {destination_type: f16}  # u/input_1
    %h = Constant-0() {value: f32[] {8}}  # h
    %i = Convert-0(%h) {destination_type: f16}  # u/input_2
    %u = RandomUniform-8(%s, %m, %i) {output_type: f16, global_seed: 1, op_seed: 2}  # u
    %v = Convert-0(%u) {destination_type: f32}  # u/f32
    %a = Relu-0(%v) {}  # a
    %z = Convert-0(%a) {destination_type: f16} : f16[4] "a"  # a/f16
    %r = Result-0(%z) {}  # r
    %t = Result-0(%u) {}  # t)";
  RunAndCompare(pass, R"(
    %s = Constant-0() {value: i64[1] {4}}  # s
    %l = Constant-0() {value: f16[] {0}}  # l
    %h = Constant-0() {value: f16[] {8}}  # h
    %u = RandomUniform-8(%s, %l, %h) {output_type: f16, global_seed: 1, op_seed: 2}  # u
    %a = Relu-0(%u) {}  # a
    %r = Result-0(%a) {}  # r
    %t = Result-0(%u) {}  # t)",
                converted);
  RunAndExpectNoChange(pass, converted);
}

TEST(ConvertPrecisionTest, RandomNumbersAreDrawnBetweenParameters) {
  ConvertPrecision pass = ToF32();
  // Inputs drawn at random need not be in order.
  CompareOptions options;
  options.evaluate = false;
  const std::string converted = R"(
    %s = Constant-0() {value: i64[1] {4}}
    %l = Parameter-0() {shape: [], element_type: f16}
    %h = Parameter-0() {shape: [], element_type: f16}
    %u = RandomUniform-8(%s, %l, %h) {output_type: f16, global_seed: 1, op_seed: 2}  # u
    %v = Convert-0(%u) {destination_type: f32}  # u/f32
    %a = Relu-0(%v) {}  # a
    %z = Convert-0(%a) {destination_type: f16} : f16[4] "a"  # a/f16
    %r = Result-0(%z) {}  # r)";
  RunAndCompare(pass, R"(
    %s = Constant-0() {value: i64[1] {4}}
    %l = Parameter-0() {shape: [], element_type: f16}
    %h = Parameter-0() {shape: [], element_type: f16}
    %u = RandomUniform-8(%s, %l, %h) {output_type: f16, global_seed: 1, op_seed: 2}  # u
    %a = Relu-0(%u) {}  # a
    %r = Result-0(%a) {}  # r)",
                converted, options);
  RunAndExpectNoChange(pass, converted);
}

TEST(ConvertPrecisionTest, ConversionsWithinTheModelDoNotRound) {
  ConvertPrecision pass = ToF32();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %y = Convert-0(%x) {destination_type: bf16}
    %a = Relu-0(%y) {}
    %z = Convert-0(%a) {destination_type: f32}
    %b = Abs-0(%z) {}
    %r = Result-0(%b) {})",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %y = Convert-0(%x) {destination_type: f32}
    %a = Relu-0(%y) {}
    %z = Convert-0(%a) {destination_type: f32}
    %b = Abs-0(%z) {}
    %r = Result-0(%b) {})");
}

TEST(ConvertPrecisionTest, ResultsOfOneValueShareAConversion) {
  ConvertPrecision pass = ToF32();
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: bf16}
    %a = Relu-0(%x) {}
    %b = Abs-0(%a) {}
    %p = Result-0(%a) {}
    %q = Result-0(%a) {}
    %r = Result-0(%b) {}
    %s = Result-0(%x) {})",
                R"(
    %x = Parameter-0() {shape: [2], element_type: bf16}
    %y = Convert-0(%x) {destination_type: f32}
    %a = Relu-0(%y) {}
    %b = Abs-0(%a) {}
    %c = Convert-0(%a) {destination_type: bf16}
    %d = Convert-0(%b) {destination_type: bf16}
    %p = Result-0(%c) {}
    %q = Result-0(%c) {}
    %r = Result-0(%d) {}
    %s = Result-0(%x) {})",
                {.tolerance = 1e-2});
}

TEST(ConvertPrecisionTest, OutputsAreFoundByTheirNames) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2], element_type: f16}  # x
    %a = Relu-0(%x) {}  # relu
    %r = Result-0(%a) {})");
  ASSERT_TRUE(ToF32().Run(model).value());
  EXPECT_EQ(model.OutputName(0), "relu");
  EXPECT_EQ(FusedNames(*model.results()[0]->input(0).node),
            std::set<std::string>{"relu"});
  EXPECT_EQ(FusedNames(*model.FindNode("x/f32")), std::set<std::string>{"x"});
}

TEST(ConvertPrecisionTest, VariablesChangeToo) {
  ConvertPrecision pass = ToF32();
  RunAndCompare(pass, R"(
    %c = Constant-0() {value: f16[2] {1, 2}}
    %v = ReadValue-6(%c) {variable_id: "v", variable_type: f16, variable_shape: [2]}
    %a = Add-1(%v, %c) {}
    %s = Assign-6(%a) {variable_id: "v"}
    %r = Result-0(%a) {})",
                R"(
    %c = Constant-0() {value: f32[2] {1, 2}}
    %v = ReadValue-6(%c) {variable_id: "v", variable_type: f32, variable_shape: [2]}
    %a = Add-1(%v, %c) {}
    %s = Assign-6(%a) {variable_id: "v"}
    %z = Convert-0(%a) {destination_type: f16}
    %r = Result-0(%z) {})",
                kRounded);
}

TEST(ConvertPrecisionTest, BodiesAreInternal) {
  constexpr char kBody[] = R"(
    %p = Parameter-0() {shape: [2], element_type: f16}
    %k = Constant-0() {value: f16[1] {3}}
    %b = Multiply-1(%p, %k) {}
    %r = Result-0(%b) {})";
  Model model = LoopTestModel();
  Model& body = *model.FindNode("loop")->bodies()[0]->model;
  body = ParseOrFail(kBody);
  ASSERT_TRUE(model.Infer().ok());
  ASSERT_TRUE(ToF32().Run(model).value());
  EXPECT_EQ(body.ToString(),
            ParseOrFail(absl::StrReplaceAll(kBody, {{"f16", "f32"}}))
                .ToString());
  // The loop, whose output was f16, still gives that to the user.
  EXPECT_EQ(model.results()[0]->input(0).type(), ElementType::kF16);
}

}  // namespace
}  // namespace dovetail
