#include "dovetail/core/preprocess/layout.h"

#include "gtest/gtest.h"

namespace dovetail {
namespace {

Layout Parsed(absl::string_view text) {
  auto layout = Layout::Parse(text);
  EXPECT_TRUE(layout.ok()) << layout.status();
  return layout.value_or(Layout());
}

TEST(LayoutTest, LettersAndListsAreTheSame) {
  EXPECT_EQ(Parsed("nchw"), Parsed("[N, C, H, W]"));
  EXPECT_EQ(Parsed("N...C").ToString(), "[N,...,C]");
  EXPECT_TRUE(Parsed("").empty());
}

TEST(LayoutTest, AxesAfterDotsCountFromTheEnd) {
  EXPECT_EQ(Parsed("N...C").Find("C"), -1);
  EXPECT_EQ(*Parsed("N...C").Axis("C", 5), 4);
  EXPECT_EQ(Parsed("N?HW").Find("C"), std::nullopt);
}

TEST(LayoutTest, MistakesAreNamed) {
  EXPECT_EQ(Layout::Parse("NCNW").status().message(),
            "layout 'NCNW': 'N' is there twice");
  EXPECT_FALSE(Layout::Parse("[N,,C]").ok());
  EXPECT_FALSE(Layout::Parse("N....C").ok());
  EXPECT_FALSE(Parsed("NCHW").Axis("D", 4).ok());
  EXPECT_FALSE(Parsed("NCHW").Expanded(3).ok());
}

TEST(LayoutTest, OrderFollowsNames) {
  using Order = std::vector<int64_t>;
  EXPECT_EQ(*LayoutOrder(Parsed("NHWC"), Parsed("NCHW"), 4),
            (Order{0, 3, 1, 2}));
  EXPECT_EQ(*LayoutOrder(Parsed("N??C"), Parsed("NC??"), 4),
            (Order{0, 3, 1, 2}));
  EXPECT_EQ(*LayoutOrder(Parsed("N...C"), Parsed("NC..."), 5),
            (Order{0, 4, 1, 2, 3}));
  EXPECT_FALSE(LayoutOrder(Parsed("NHWC"), Parsed("NCDW"), 4).ok());
}

}  // namespace
}  // namespace dovetail
