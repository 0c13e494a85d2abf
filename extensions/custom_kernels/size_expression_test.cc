#include "dovetail/extensions/custom_kernels/size_expression.h"

#include <optional>
#include <random>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

std::optional<int64_t> SizeOf(absl::string_view name, int64_t index) {
  if (name == "DIMS" && index >= 0) return 10 * index;
  if (index != -1) return std::nullopt;
  if (name == "B" || name == "b") return 2;
  if (name == "F" || name == "f") return 3;
  if (name == "Y" || name == "y") return 5;
  if (name == "X" || name == "x") return 7;
  return std::nullopt;
}

int64_t ValueOf(const std::string& text) {
  const auto value = EvaluateSizeExpression(text, SizeOf);
  EXPECT_TRUE(value.ok()) << value.status();
  return value.value_or(-1);
}

std::string MessageOf(const std::string& text) {
  const auto value = EvaluateSizeExpression(text, SizeOf);
  EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(value.status().message());
}

TEST(SizeExpressionTest, Computes) {
  EXPECT_EQ(ValueOf("B*F"), 6);
  EXPECT_EQ(ValueOf("b * f*y\t* x"), 210);
  EXPECT_EQ(ValueOf("(X + 15) / 16 * 16"), 16);
  EXPECT_EQ(ValueOf("X - Y - F"), -1);
  EXPECT_EQ(ValueOf("X%Y+1"), 3);
  EXPECT_EQ(ValueOf("-B+-(-F)"), 1);
  EXPECT_EQ(ValueOf("DIMS[2]*B + DIMS [ 1 ]"), 50);
}

TEST(SizeExpressionTest, SaysWhatIsWrongWhere) {
  EXPECT_THAT(MessageOf(""), HasSubstr("character 1"));
  EXPECT_THAT(MessageOf("B*Q"), HasSubstr("'B*Q', character 3"));
  EXPECT_THAT(MessageOf("DIMS*2"), HasSubstr("'DIMS*2', character 1"));
  EXPECT_THAT(MessageOf("DIMS[B]"), HasSubstr("an index"));
  EXPECT_THAT(MessageOf("DIMS[1"), HasSubstr("closing bracket"));
  EXPECT_THAT(MessageOf("(B"), HasSubstr("closing parenthesis"));
  EXPECT_THAT(MessageOf("B F"), HasSubstr("no operator"));
  EXPECT_THAT(MessageOf("B/(F-3)"), HasSubstr("division by zero"));
  EXPECT_THAT(MessageOf("B%0"), HasSubstr("division by zero"));
  EXPECT_THAT(MessageOf("9999999999999999999"), HasSubstr("64 bits"));
  EXPECT_THAT(MessageOf("9223372036854775807+B"), HasSubstr("64 bits"));
  EXPECT_THAT(MessageOf("(0-9223372036854775807-1)/(0-1)"),
              HasSubstr("64 bits"));
}

TEST(SizeExpressionTest, HasLimits) {
  EXPECT_THAT(MessageOf(std::string(100, '(') + "1" + std::string(100, ')')),
              HasSubstr("64 levels"));
  EXPECT_THAT(MessageOf(std::string(1000, '-') + "1"), HasSubstr("64 levels"));
  EXPECT_THAT(MessageOf(std::string(5000, '1')), HasSubstr("at most 1024"));
}

TEST(SizeExpressionTest, TheFormIsCheckedBeforeSizesAreKnown) {
  EXPECT_TRUE(CheckSizeExpression("X / (B - 1)", SizeOf).ok());
  EXPECT_FALSE(CheckSizeExpression("X / (B - )", SizeOf).ok());
}

TEST(SizeExpressionTest, AnyTextIsAValueOrAnError) {
  constexpr char kLetters[] = "BFYXbq01 9+-*/%()[]";
  std::mt19937 random(1);
  int values = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = kLetters[random() % (sizeof(kLetters) - 1)];
    const auto value = EvaluateSizeExpression(text, SizeOf);
    if (value.ok()) {
      ++values;
      EXPECT_TRUE(CheckSizeExpression(text, SizeOf).ok()) << text;
    } else {
      EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
    }
  }
  EXPECT_GT(values, 100);
}

}  // namespace
}  // namespace dovetail
