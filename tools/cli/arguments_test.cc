#include "dovetail/tools/cli/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dovetail::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<Flag> kFlags = {
    {"device", "NAME", "where to run"},
    {"config", "KEY=VALUE", "a property", true},
    {"seconds", "S", "how long"},
    {"graph", "", "prints the graph"},
    {"output", "FILE", "where to write", false, "o"},
};

absl::StatusOr<Arguments> Parse(const std::vector<std::string>& words) {
  return Arguments::Parse(kFlags, words);
}

std::string ErrorOf(const std::vector<std::string>& words) {
  return std::string(Parse(words).status().message());
}

TEST(ArgumentsTest, TakesFlagsInBothSpellings) {
  const auto arguments =
      Parse({"a.xml", "--device=CPU", "--seconds", "2.5", "--graph", "b"});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_THAT(arguments->positional(), ElementsAre("a.xml", "b"));
  EXPECT_EQ(arguments->Get("device"), "CPU");
  EXPECT_EQ(arguments->Get("seconds"), "2.5");
  EXPECT_TRUE(arguments->Has("graph"));
  EXPECT_FALSE(arguments->Has("config"));
  EXPECT_EQ(arguments->Get("config", "none"), "none");
}

TEST(ArgumentsTest, ALetterIsTheSameFlag) {
  const auto arguments = Parse({"a.xml", "-o", "b=c", "-x"});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_EQ(arguments->Get("output"), "b=c");
  EXPECT_THAT(arguments->positional(), ElementsAre("a.xml", "-x"));
  EXPECT_EQ(Parse({"--output=d"})->Get("output"), "d");
  EXPECT_THAT(Parse({"--", "-o"})->positional(), ElementsAre("-o"));
  EXPECT_THAT(ErrorOf({"-o"}),
              HasSubstr("flag --output needs a value: --output=FILE"));
  EXPECT_THAT(ErrorOf({"-o", "a", "--output=b"}),
              HasSubstr("flag --output is given twice"));
  EXPECT_THAT(DescribeFlags(kFlags), HasSubstr("  -o FILE, --output=FILE  "));
}

TEST(ArgumentsTest, KeepsTheOrderOfRepeatedFlags) {
  const auto arguments = Parse({"--config=A=1", "--config", "B=2"});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_THAT(arguments->GetAll("config"), ElementsAre("A=1", "B=2"));
}

TEST(ArgumentsTest, NothingIsAFlagAfterTwoDashes) {
  const auto arguments = Parse({"--graph", "--", "--device"});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_THAT(arguments->positional(), ElementsAre("--device"));
}

TEST(ArgumentsTest, SaysWhatIsWrong) {
  EXPECT_THAT(ErrorOf({"--devise=CPU"}),
              HasSubstr("unknown flag --devise; did you mean --device?"));
  EXPECT_THAT(ErrorOf({"--zzzzzzzzz"}), HasSubstr("--help lists the flags"));
  EXPECT_THAT(ErrorOf({"--device"}),
              HasSubstr("flag --device needs a value: --device=NAME"));
  EXPECT_THAT(ErrorOf({"--output="}),
              HasSubstr("flag --output needs the name of a file: "
                        "--output=FILE"));
  EXPECT_THAT(ErrorOf({"--graph=yes"}),
              HasSubstr("flag --graph takes no value"));
  EXPECT_THAT(ErrorOf({"--device=A", "--device=B"}),
              HasSubstr("flag --device is given twice"));
}

TEST(ArgumentsTest, ReadsNumbersInRange) {
  const auto arguments = Parse({"--seconds=2.5", "--device=7"});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_EQ(*arguments->GetDouble("seconds", 5, 0, 10), 2.5);
  EXPECT_EQ(*arguments->GetInt("device", 1, 0, 10), 7);
  EXPECT_EQ(*arguments->GetInt("config", 3, 0, 10), 3);
  EXPECT_EQ(arguments->GetInt("seconds", 1, 0, 10).status().message(),
            "--seconds=2.5: want a whole number from 0 to 10");
  EXPECT_EQ(arguments->GetInt("device", 1, 0, 6).status().message(),
            "--device=7: want a whole number from 0 to 6");
  const auto nan = Parse({"--seconds=nan"});
  EXPECT_FALSE(nan->GetDouble("seconds", 5, 0, 10).ok());
}

TEST(ArgumentsTest, SplitsKeyAndValueAtTheFirstEqualsSign) {
  const auto pair = SplitKeyValue("config", "KEY=a=b");
  ASSERT_TRUE(pair.ok()) << pair.status();
  EXPECT_EQ(pair->first, "KEY");
  EXPECT_EQ(pair->second, "a=b");
  EXPECT_EQ(SplitKeyValue("config", "KEY").status().message(),
            "--config=KEY: want --config=KEY=VALUE");
  EXPECT_FALSE(SplitKeyValue("config", "=b").ok());
}

TEST(ArgumentsTest, DescribesFlagsInColumns) {
  EXPECT_EQ(DescribeFlags({kFlags.data(), 2}),
            "  --device=NAME       where to run\n"
            "  --config=KEY=VALUE  a property (repeatable)\n");
}

}  // namespace
}  // namespace dovetail::cli
