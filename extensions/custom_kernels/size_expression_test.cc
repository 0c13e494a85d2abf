#include "dovetail/extensions/custom_kernels/size_expression.h"

#include <random>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::HasSubstr;

constexpr NamedSizes kSizes = {2, 3, 5, 7};

int64_t ValueOf(const std::string& text) {
  const auto value = EvaluateSizeExpression(text, kSizes);
  EXPECT_TRUE(value.ok()) << value.status();
  return value.value_or(-1);
}

std::string MessageOf(const std::string& text) {
  const auto value = EvaluateSizeExpression(text, kSizes);
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
}

TEST(SizeExpressionTest, SaysWhatIsWrongWhere) {
  EXPECT_THAT(MessageOf(""), HasSubstr("character 1"));
  EXPECT_THAT(MessageOf("B*Q"), HasSubstr("'B*Q', character 3"));
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
  EXPECT_TRUE(CheckSizeExpression("X / (B - 1)").ok());
  EXPECT_FALSE(CheckSizeExpression("X / (B - )").ok());
}

TEST(SizeExpressionTest, AnyTextIsAValueOrAnError) {
  constexpr char kLetters[] = "BFYXbq01 9+-*/%()";
  std::mt19937 random(1);
  int values = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = kLetters[random() % (sizeof(kLetters) - 1)];
    const auto value = EvaluateSizeExpression(text, kSizes);
    if (value.ok()) {
      ++values;
      EXPECT_TRUE(CheckSizeExpression(text).ok()) << text;
    } else {
      EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
    }
  }
  EXPECT_GT(values, 100);
}

}  // namespace
}  // namespace dovetail
