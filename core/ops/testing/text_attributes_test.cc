#include "dovetail/core/ops/testing/text_attributes.h"

#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

enum class Size { kSmall, kLarge };
absl::Span<const EnumName> EnumNames(Size) {
  static constexpr EnumName kNames[] = {{0, "small"}, {1, "large"}};
  return kNames;
}

struct TestAttributes : public AttributesOf<TestAttributes> {
  int64_t axis = 0;
  std::vector<double> scales;
  Size size = Size::kSmall;
  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("axis", axis);
    visitor.Visit("scales", scales);
    visitor.Visit("size", size);
  }
};

constexpr OpInfo kOps[] = {{"Test", 1, "Test", OpsetRange::Since(1), {1, 1},
                            {1, 1}, &MakeAttributes<TestAttributes>, nullptr}};

TEST(TextAttributesTest, ReadsEveryKind) {
  const auto attributes = AttributesFromText(
      kOps[0], {{"axis", "-2"}, {"scales", "1.5,2"}, {"size", "LARGE"}});
  ASSERT_TRUE(attributes.ok()) << attributes.status();
  const auto& test = static_cast<const TestAttributes&>(**attributes);
  EXPECT_EQ(test.axis, -2);
  EXPECT_EQ(test.scales, (std::vector<double>{1.5, 2}));
  EXPECT_EQ(test.size, Size::kLarge);
}

TEST(TextAttributesTest, RefusesWrongNamesAndTexts) {
  EXPECT_FALSE(AttributesFromText(kOps[0], {{"axes", "1"}}).ok());
  EXPECT_FALSE(AttributesFromText(kOps[0], {{"axis", "one"}}).ok());
  EXPECT_FALSE(AttributesFromText(kOps[0], {{"size", "medium"}}).ok());
}

TEST(TextAttributesTest, FindsRows) {
  EXPECT_TRUE(FindOpByName(kOps, "Test-1").ok());
  EXPECT_FALSE(FindOpByName(kOps, "Test-2").ok());
}

}  // namespace
}  // namespace dovetail
