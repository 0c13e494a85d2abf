#include "dovetail/core/ops/structural/extract_model.h"

#include "dovetail/core/ops/text/parse.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(ExtractModelTest, APartHasItsOwnParametersResultsAndConstants) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %one = Constant-0() {value: f32[1] {1}}  # one
    %a = Add-1(%x, %one) {}  # a
    %b = Multiply-1(%a, %one) {}  # b
    %c = Relu-0(%b) {}  # c
    %out = Result-0(%c) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const Value a = model->FindNode("a")->output();
  const Value b = model->FindNode("b")->output();
  const auto part = ExtractModel(*model, {a}, {b.node}, {b});
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_TRUE((*part)->Verify().ok()) << (*part)->Verify();
  ASSERT_EQ((*part)->parameters().size(), 1u);
  EXPECT_EQ((*part)->parameters()[0]->name(), "a");
  EXPECT_EQ((*part)->parameters()[0]->port().shape, PartialShape({2}));
  ASSERT_EQ((*part)->results().size(), 1u);
  EXPECT_EQ((*part)->results()[0]->input(0).node->name(), "b");
  EXPECT_NE((*part)->FindNode("one"), nullptr);
  EXPECT_EQ((*part)->FindNode("c"), nullptr);
}

TEST(ExtractModelTest, WhatIsReadMustBeThere) {
  const auto model = ParseModelText(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}
    %a = Relu-0(%x) {}  # a
    %b = Abs-0(%a) {}  # b
    %out = Result-0(%b) {}
  )");
  ASSERT_TRUE(model.ok()) << model.status();
  const Value b = model->FindNode("b")->output();
  EXPECT_EQ(ExtractModel(*model, {}, {b.node}, {b}).status().code(),
            absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace dovetail
