#include "dovetail/transformations/simplify/common_subexpressions.h"

#include <memory>
#include <utility>
#include <vector>

#include "dovetail/core/graph/fused_names.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(CommonSubexpressionsTest, MergesChains) {
  CommonSubexpressions pass;
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %c = Constant-0() {value: f32[1] {2}}
    %d = Constant-0() {value: f32[1] {2}}
    %a = Multiply-1(%x, %c) {}
    %b = Multiply-1(%x, %d) {}
    %e = Relu-0(%a) {}
    %f = Relu-0(%b) {}
    %g = Add-1(%e, %f) {}
    %r = Result-0(%g) {})",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %c = Constant-0() {value: f32[1] {2}}
    %a = Multiply-1(%x, %c) {}
    %e = Relu-0(%a) {}
    %g = Add-1(%e, %e) {}
    %r = Result-0(%g) {})");
}

TEST(CommonSubexpressionsTest, NotesWhatANodeStandsFor) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %a = Relu-0(%x) {}  # a
    %b = Relu-0(%x) {}  # b
    %g = Add-1(%a, %b) {}  # sum
    %r = Result-0(%g) {})");
  ASSERT_TRUE(CommonSubexpressions().Run(model).value());
  EXPECT_EQ(FusedNames(*model.FindNode("a")),
            (std::set<std::string>{"a", "b"}));
}

TEST(CommonSubexpressionsTest, DifferentAttributesStay) {
  CommonSubexpressions pass;
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Elu-0(%x) {alpha: 1}
    %b = Elu-0(%x) {alpha: 2}
    %c = Constant-0() {value: f32[1] {2}}
    %d = Constant-0() {value: f32[1,1] {2}}
    %e = Multiply-1(%a, %c) {}
    %f = Multiply-1(%b, %d) {}
    %q = Result-0(%e) {}
    %r = Result-0(%f) {})");
}

TEST(CommonSubexpressionsTest, LargeConstantsThatDifferInOneElementStay) {
  Model model;
  std::vector<float> elements(1000);
  std::vector<Value> values;
  for (float last : {1.0f, 2.0f, 1.0f}) {
    elements[997] = last;
    auto attributes = std::make_unique<ConstantAttributes>();
    attributes->value = *Tensor::FromValues<float>({1000}, elements);
    const auto constant =
        model.Add(*FindOp("Constant"), {}, std::move(attributes));
    ASSERT_TRUE(constant.ok());
    values.push_back((*constant)->output());
  }
  const auto concat = model.Add(*FindOp("Concat"), values, nullptr);
  ASSERT_TRUE(concat.ok());
  ASSERT_TRUE(
      model.Add(*FindOp("Result"), {(*concat)->output()}, nullptr).ok());
  ASSERT_TRUE(CommonSubexpressions().Run(model).value());
  EXPECT_EQ((*concat)->input(0), (*concat)->input(2));
  EXPECT_NE((*concat)->input(0), (*concat)->input(1));
}

TEST(CommonSubexpressionsTest, OutputsKeepTheirNames) {
  CommonSubexpressions pass;
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {} : f32[2] "first"
    %b = Relu-0(%x) {} : f32[2] "second"
    %q = Result-0(%a) {}
    %r = Result-0(%b) {})");
}

TEST(CommonSubexpressionsTest, OneOfTwoMayBeAnOutput) {
  CommonSubexpressions pass;
  RunAndCompare(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %a = Relu-0(%x) {}  # a
    %b = Relu-0(%x) {} : f32[2] "out"  # b
    %c = Abs-0(%a) {}  # c
    %q = Result-0(%b) {}  # q
    %r = Result-0(%c) {}  # r)",
                R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %a = Relu-0(%x) {} : f32[2] "out"  # a
    %c = Abs-0(%a) {}  # c
    %q = Result-0(%a) {}  # q
    %r = Result-0(%c) {}  # r)");
}

TEST(CommonSubexpressionsTest, StateIsReadEachTime) {
  CommonSubexpressions pass;
  RunAndExpectNoChange(pass, R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = ReadValue-3(%x) {variable_id: "v"}
    %b = ReadValue-3(%x) {variable_id: "v"}
    %g = Add-1(%a, %b) {}
    %r = Result-0(%g) {})");
}

}  // namespace
}  // namespace dovetail
