#include "dovetail/bench/common/properties.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

absl::StatusOr<PropertyMap> Parse(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  return PropertiesOf(pointers);
}

TEST(PropertiesTest, LastValueOfANameCounts) {
  const auto properties = Parse({"A=1", "B=x=y", "A=2", "C="});
  ASSERT_TRUE(properties.ok()) << properties.status();
  EXPECT_EQ(*properties, (PropertyMap{{"A", "2"}, {"B", "x=y"}, {"C", ""}}));
}

TEST(PropertiesTest, RefusesWhatSetsNothing) {
  for (const char* text : {"A", "=1", ""}) {
    const absl::Status status = Parse({"A=1", text}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_NE(status.message().find("NAME=VALUE"), absl::string_view::npos);
  }
}

}  // namespace
}  // namespace dovetail
