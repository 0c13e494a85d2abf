#include "dovetail/extensions/ir/reader/attributes/values.h"

#include <cmath>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ParseIntTest, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(*ParseInt("-12"), -12);
  EXPECT_EQ(*ParseInt(" 7 "), 7);
  EXPECT_EQ(*ParseInt("9223372036854775807"),
            std::numeric_limits<int64_t>::max());
  for (const char* wrong : {"", "x", "1x", "1.5", "0x10", "--1",
                            "9223372036854775808"}) {
    EXPECT_FALSE(ParseInt(wrong).ok()) << wrong;
  }
  EXPECT_THAT(ParseInt("1x").status().message(),
              HasSubstr("'1x' is not an integer"));
}

TEST(ParseIntTest, AMegabyteOfDigitsMakesNoMegabyteOfMessage) {
  EXPECT_LT(ParseInt(std::string(1 << 20, '9')).status().message().size(), 200);
}

TEST(ParseUnsignedTest, RefusesNegativeNumbers) {
  EXPECT_EQ(*ParseUnsigned("18446744073709551615"),
            std::numeric_limits<uint64_t>::max());
  EXPECT_FALSE(ParseUnsigned("-1").ok());
}

TEST(ParseFloatTest, ReadsWhatWritersWrite) {
  EXPECT_EQ(*ParseFloat("0.5"), 0.5);
  EXPECT_EQ(*ParseFloat("-1e-06"), -1e-06);
  EXPECT_EQ(*ParseFloat("inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(*ParseFloat("-INF"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(*ParseFloat("nan")));
  for (const char* wrong : {"", "0,5", "1e", "1.0f", "1e999", "-1e999"}) {
    EXPECT_FALSE(ParseFloat(wrong).ok()) << wrong;
  }
}

TEST(ParseBoolTest, TakesFourWordsInAnyCase) {
  EXPECT_TRUE(*ParseBool("True"));
  EXPECT_TRUE(*ParseBool("1"));
  EXPECT_FALSE(*ParseBool("FALSE"));
  EXPECT_FALSE(*ParseBool("0"));
  EXPECT_FALSE(ParseBool("yes").ok());
  EXPECT_FALSE(ParseBool("").ok());
}

TEST(ParseListTest, EmptyTextIsAnEmptyList) {
  EXPECT_THAT(*ParseInts(""), IsEmpty());
  EXPECT_THAT(*ParseInts("  "), IsEmpty());
  EXPECT_THAT(*ParseFloats(""), IsEmpty());
  EXPECT_THAT(ParseStrings(""), IsEmpty());
}

TEST(ParseListTest, SplitsAtCommas) {
  EXPECT_THAT(*ParseInts("1, -3,224"), ElementsAre(1, -3, 224));
  EXPECT_THAT(*ParseInts("1,2,"), ElementsAre(1, 2));
  EXPECT_THAT(*ParseFloats("0.5,1"), ElementsAre(0.5, 1));
  EXPECT_THAT(ParseStrings("tanh, relu"), ElementsAre("tanh", "relu"));
}

TEST(ParseListTest, ShowsTheElementAndTheList) {
  const absl::Status status = ParseInts("1,,2").status();
  EXPECT_THAT(status.message(), HasSubstr("'1,,2'"));
  EXPECT_FALSE(ParseInts(",").ok());
  EXPECT_THAT(ParseFloats("1,a").status().message(), HasSubstr("'a'"));
}

TEST(ParseTensorNamesTest, ABackslashKeepsAComma) {
  EXPECT_THAT(ParseTensorNames("a,b c"), ElementsAre("a", "b c"));
  EXPECT_THAT(ParseTensorNames("a\\,b,c"), ElementsAre("a,b", "c"));
  EXPECT_THAT(ParseTensorNames("a\\b"), ElementsAre("a\\b"));
  EXPECT_THAT(ParseTensorNames("a\\"), ElementsAre("a\\"));
  EXPECT_THAT(ParseTensorNames("a\\\\,b"), ElementsAre("a\\,b"));
  EXPECT_THAT(ParseTensorNames("a\\\\b,c"), ElementsAre("a\\\\b", "c"));
  EXPECT_THAT(ParseTensorNames(",a,,"), ElementsAre("a"));
  EXPECT_THAT(ParseTensorNames(""), IsEmpty());
}

}  // namespace
}  // namespace dovetail::ir
