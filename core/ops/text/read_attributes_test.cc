#include "dovetail/core/ops/text/read_attributes.h"

#include "dovetail/core/graph/attributes/attribute_text.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

absl::Status Read(absl::string_view text, Attributes& attributes) {
  Scanner scanner(text);
  return ReadAttributes(scanner, attributes);
}

std::string Error(absl::string_view text) {
  EverythingAttributes attributes;
  return std::string(Read(text, attributes).message());
}

TEST(ReadAttributesTest, ReadsEveryType) {
  EverythingAttributes all;
  ASSERT_TRUE(Read("{flavour: SOUR, tensor: f32[2] {0.1, nan}, type: i8, "
                   "shape: [1,?,2..8], texts: [\"a\", \"b, ]\"], flag: true, "
                   "factors: [0.5, -inf], counts: [], text: \"a\\n}\", "
                   "factor: 1e-3, seed: 18446744073709551615, count: -3}",
                   all)
                  .ok());
  EXPECT_EQ(ToString(all),
            "{flag: true, count: -3, seed: 18446744073709551615, factor: "
            "0.001, text: \"a\\n}\", counts: [], factors: [0.5, -inf], texts: "
            "[\"a\", \"b, ]\"], type: i8, shape: [1,?,2..8], tensor: f32[2] "
            "{0.1, nan}, flavour: sour}");
}

struct PaddedAttributes : AttributesOf<PaddedAttributes> {
  bool exclude_pad = false;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("exclude-pad", exclude_pad);
  }
};

TEST(ReadAttributesTest, NamesMayHaveHyphens) {
  PaddedAttributes attributes;
  const absl::Status read = Read("{exclude-pad: true}", attributes);
  ASSERT_TRUE(read.ok()) << read;
  EXPECT_TRUE(attributes.exclude_pad);
}

TEST(ReadAttributesTest, WhatIsNotThereStays) {
  EverythingAttributes all;
  all.count = 5;
  ASSERT_TRUE(Read("{ }", all).ok());
  EXPECT_EQ(all.count, 5);
}

TEST(ReadAttributesTest, ErrorsNameTheAttribute) {
  EXPECT_EQ(Error("{size: 3}"), "there is no attribute 'size'");
  EXPECT_EQ(Error("{count: 3.5}"),
            "attribute count: '3.5' is not an integer");
  EXPECT_EQ(Error("{flavour: salty}"),
            "attribute flavour: 'salty' is not one of its values");
  EXPECT_EQ(Error("{count: 3, count: 4}"), "attribute count is there twice");
  EXPECT_EQ(Error("{text: \"a}"), "a quote is not closed at '\"a}'");
  EXPECT_EQ(Error("{counts: [1, 2}"),
            "expected one of ',}' behind the value at '[1, 2}'");
}

TEST(ParseTensorTextTest, ReadsBackAllDigits) {
  for (const char* text :
       {"i64[2] {9007199254740993, -9223372036854775808}",
        "u64[] {18446744073709551615}", "i4[3] {-8, 7, 0}",
        "string[2] {\"a\\\"\", \"\"}", "f16[1] {0.099975586}", "f32[0,4] {}",
        "boolean[2] {0, 1}", "i32[1] {16777217}"}) {
    const auto tensor = ParseTensorText(text);
    ASSERT_TRUE(tensor.ok()) << tensor.status();
    EXPECT_EQ(TensorText(*tensor, 100), text);
  }
}

TEST(ParseTensorTextTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(ParseTensorText("f32[3] {1, 2}").status().message(),
            "a tensor of shape [3] has 3 elements, not 2");
  EXPECT_FALSE(ParseTensorText("f32[99999999999] {1, …}").ok());
  EXPECT_FALSE(ParseTensorText("f32[?] {1}").ok());
  EXPECT_FALSE(ParseTensorText("f32[4294967296,4294967296] {}").ok());
  EXPECT_FALSE(ParseTensorText("f33[1] {1}").ok());
  EXPECT_FALSE(ParseTensorText("f32[1] {one}").ok());
  EXPECT_FALSE(ParseTensorText("f32[1] {1} 2").ok());
}

}  // namespace
}  // namespace dovetail
