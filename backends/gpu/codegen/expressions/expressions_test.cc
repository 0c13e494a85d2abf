#include "dovetail/backends/gpu/codegen/expressions/expressions.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "dovetail/core/ops/text/parse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Of an operation such as "Abs-0(%x) {}" with %x of that type.
std::optional<Expression> Of(absl::string_view operation,
                             absl::string_view type = "f32") {
  const auto model = ParseModelText(
      absl::StrCat("%x = Parameter-0() {shape: [4], element_type: ", type,
                   "}\n%y = ", operation, "\n%r = Result-0(%y) {}\n"));
  EXPECT_TRUE(model.ok()) << model.status();
  return ExpressionOf(*model->results()[0]->input(0).node);
}

TEST(ExpressionTest, IsTextOfOneLaneOrMany) {
  const Expression sum = Of("Add-1(%x, %x) {}", "i16").value();
  EXPECT_EQ(sum.operands, 2);
  EXPECT_EQ(sum.Text({"p", "q"}, {}, 16),
            "convert_short16(convert_ushort16(p) + convert_ushort16(q))");
  EXPECT_EQ(sum.Text({"p", "q"}, {}, 1),
            "convert_short(convert_uint(p) + convert_uint(q))");
}

TEST(ExpressionTest, AttributesAreNumbersAndNoText) {
  const Expression one = Of("Elu-0(%x) {alpha: 1}").value();
  const Expression other = Of("Elu-0(%x) {alpha: 0.5}").value();
  EXPECT_EQ(one.text, other.text);
  EXPECT_THAT(one.numbers, ElementsAre(1));
  EXPECT_THAT(other.numbers, ElementsAre(0.5));
  EXPECT_THAT(other.Text({"v"}, {"n0"}, 4), HasSubstr("n0 * expm1(v)"));
}

TEST(ExpressionTest, BoundsOfIntegersAreRoundedInwards) {
  EXPECT_THAT(Of("Clamp-0(%x) {min: -1.5, max: 2.7}", "i32")->numbers,
              ElementsAre(-1, 2));
  EXPECT_THAT(Of("Clamp-0(%x) {min: -1.5, max: 1e9}", "u8")->numbers,
              ElementsAre(0, 255));
  // No int holds the bound.
  EXPECT_FALSE(Of("Clamp-0(%x) {min: 0, max: 1e10}", "i64").has_value());
}

TEST(ExpressionTest, IsOfTypesThatAreComputed) {
  EXPECT_TRUE(Of("Negative-0(%x) {}", "i64").has_value());
  EXPECT_FALSE(Of("Negative-0(%x) {}", "f64").has_value());
  EXPECT_FALSE(Of("Negative-0(%x) {}", "i4").has_value());
  // Rounding step by step is not what the operation does.
  EXPECT_FALSE(Of("Negative-0(%x) {}", "f16").has_value());
  EXPECT_TRUE(Of("Convert-0(%x) {destination_type: f32}", "f16").has_value());
  EXPECT_FALSE(Of("Convert-0(%x) {destination_type: i4}", "f32").has_value());
}

TEST(ExpressionTest, CallsFunctionsThatStandBefore) {
  EXPECT_THAT(Of("Abs-0(%x) {}")->Functions(16), IsEmpty());
  const auto gelu = Of("Gelu-7(%x) {}")->Functions(16);
  ASSERT_THAT(gelu, SizeIs(2));
  EXPECT_THAT(gelu[0], HasSubstr("float16 scaled_erfc_float16(float16 t)"));
  EXPECT_THAT(gelu[1], HasSubstr("float16 gelu_of_float16(float16 x)"));
  EXPECT_THAT(Of("Erf-0(%x) {}")->Functions(1),
              ElementsAre(HasSubstr("float scaled_erfc_float(float t)"),
                          HasSubstr("float erf_of_float(float x)")));
  EXPECT_THAT(Of("Convert-0(%x) {destination_type: u64}")->Functions(4),
              ElementsAre(HasSubstr("long4 to_i64_float4"),
                          HasSubstr("ulong4 to_u64_float4")));
}

}  // namespace
}  // namespace dovetail::gpu
