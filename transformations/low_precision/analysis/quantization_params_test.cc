#include "dovetail/transformations/low_precision/analysis/quantization_params.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/transformations/testing/run_and_compare.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// The parameters of a FakeQuantize of [1,2,3] with these ranges and levels.
std::optional<QuantizationParams> ParamsOfRanges(absl::string_view low,
                                                 absl::string_view high,
                                                 int levels) {
  Model model = ParseOrFail(absl::StrCat(R"(
    %x = Parameter-0() {shape: [1,2,3], element_type: f32}
    %l = Constant-0() {value: )",
                                         low, R"(}
    %h = Constant-0() {value: )",
                                         high, R"(}
    %a = Constant-0() {value: f32[] {-1}}
    %b = Constant-0() {value: f32[] {1}}
    %f = FakeQuantize-0(%x, %a, %b, %l, %h) {levels: )",
                                         levels, R"(}
    %r = Result-0(%f) {})"));
  return QuantizationParamsOf(*model.results()[0]->input(0).node);
}

TEST(QuantizationParamsTest, IsFormedByTheOutputRange) {
  const auto params = ParamsOfRanges("f32[] {-64}", "f32[] {63.5}", 256);
  ASSERT_TRUE(params.has_value());
  EXPECT_EQ(params->type, ElementType::kU8);
  EXPECT_EQ(params->scale, std::vector<float>{0.5f});
  EXPECT_EQ(params->zero_point, std::vector<float>{128.0f});
}

TEST(QuantizationParamsTest, MayBeOfChannels) {
  const auto params =
      ParamsOfRanges("f32[1,2,1] {0, 0}", "f32[2,1] {255, 510}", 256);
  ASSERT_TRUE(params.has_value());
  EXPECT_EQ(params->scale, (std::vector<float>{1, 2}));
  EXPECT_EQ(params->zero_point, (std::vector<float>{0, 0}));
  EXPECT_TRUE(IsSymmetric(*params));
}

TEST(QuantizationParamsTest, IsNotThereForOtherRanges) {
  // Along another axis, backwards, without a width, and with too many levels.
  EXPECT_FALSE(
      ParamsOfRanges("f32[3] {0, 0, 0}", "f32[] {1}", 256).has_value());
  EXPECT_FALSE(ParamsOfRanges("f32[] {1}", "f32[] {0}", 256).has_value());
  EXPECT_FALSE(ParamsOfRanges("f32[] {1}", "f32[] {1}", 256).has_value());
  EXPECT_FALSE(ParamsOfRanges("f32[] {0}", "f32[] {1}", 257).has_value());
  EXPECT_TRUE(ParamsOfRanges("f32[] {0}", "f32[] {1}", 255).has_value());
}

TEST(QuantizationParamsTest, LevelsThatGiveIntegersDoSo) {
  EXPECT_TRUE(GivesIntegers(255));
  EXPECT_TRUE(GivesIntegers(256));
  EXPECT_FALSE(GivesIntegers(1));
  EXPECT_FALSE(GivesIntegers(257));
  for (int64_t levels = 2; levels <= 256; ++levels) {
    if (!GivesIntegers(levels)) continue;
    Model model = ParseOrFail(absl::StrCat(R"(
      %x = Parameter-0() {shape: [?], element_type: f32}
      %l = Constant-0() {value: f32[] {0}}
      %h = Constant-0() {value: f32[] {)",
                                           levels - 1, R"(}}
      %f = FakeQuantize-0(%x, %l, %h, %l, %h) {levels: )",
                                           levels, R"(}
      %r = Result-0(%f) {})"));
    std::vector<float> all;
    for (int64_t i = 0; i < levels; ++i) all.push_back(i);
    const auto outputs =
        EvaluateModel(model, {*Tensor::FromValues<float>({levels}, all)}, {});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    const auto got = (*outputs)[0].span<float>();
    EXPECT_EQ(std::vector<float>(got.begin(), got.end()), all);
  }
}

TEST(QuantizationParamsTest, SymmetricRangesMayBeSigned) {
  const auto of = [](float zero_point) {
    return SignedParams({ElementType::kU8, {1}, {zero_point}});
  };
  ASSERT_TRUE(of(128).has_value());
  EXPECT_EQ(of(128)->type, ElementType::kI8);
  EXPECT_EQ(of(128)->zero_point, std::vector<float>{0});
  EXPECT_EQ(of(127)->zero_point, std::vector<float>{0});
  EXPECT_FALSE(of(120).has_value());
  EXPECT_FALSE(of(0).has_value());
}

TEST(QuantizationParamsTest, ZeroIsRepresentableOrNot) {
  const auto has = [](ElementType type, float zero_point) {
    return HasZero({type, {1}, {zero_point}});
  };
  EXPECT_TRUE(has(ElementType::kU8, 0));
  EXPECT_TRUE(has(ElementType::kU8, 127.95f));
  EXPECT_FALSE(has(ElementType::kU8, 127.5f));
  EXPECT_FALSE(has(ElementType::kU8, -1));
  EXPECT_TRUE(has(ElementType::kI8, -1));
  EXPECT_FALSE(has(ElementType::kU8, 256));
}

TEST(QuantizationParamsTest, DequantizationIsRecognised) {
  Model model = ParseOrFail(R"(
    %x = Parameter-0() {shape: [1,2,3], element_type: u8}
    %f = Convert-0(%x) {destination_type: f32}
    %z = Constant-0() {value: f32[] {3}}
    %c = Subtract-1(%f, %z) {}
    %s = Constant-0() {value: f32[2,1] {0.5, 0.25}}
    %y = Multiply-1(%s, %c) {}
    %r = Result-0(%y) {})");
  const auto found = MatchDequantization(model.results()[0]->input(0));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->integers.node, model.parameters()[0]);
  EXPECT_EQ(found->params.scale, (std::vector<float>{0.5, 0.25}));
  EXPECT_EQ(found->params.zero_point, (std::vector<float>{3, 3}));
  NodeBuilder b(model, *found->integers.node);
  const auto again =
      MatchDequantization(Dequantize(b, found->integers, found->params));
  ASSERT_TRUE(again.has_value());
  EXPECT_TRUE(SameParams(found->params, again->params));
}

TEST(QuantizationParamsTest, OtherSumsAndProductsAreNoDequantization) {
  for (const std::string line :
       {"%y = Subtract-1(%z, %f) {}", "%y = Multiply-1(%f, %f) {}",
        "%y = Multiply-1(%f, %n) {}", "%y = Multiply-1(%f, %w) {}"}) {
    Model model = ParseOrFail(absl::StrCat(R"(
      %x = Parameter-0() {shape: [1,2,3], element_type: u8}
      %f = Convert-0(%x) {destination_type: f32}
      %z = Constant-0() {value: f32[] {3}}
      %n = Constant-0() {value: f32[] {-3}}
      %w = Constant-0() {value: f32[4,1,1,1] {1, 1, 1, 1}}
      )",
                                           line, R"(
      %r = Result-0(%y) {})"));
    EXPECT_FALSE(MatchDequantization(model.results()[0]->input(0)).has_value())
        << line;
  }
}

}  // namespace
}  // namespace dovetail
