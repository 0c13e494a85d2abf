#include "dovetail/tools/pages/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "dovetail/tools/pages/texts.h"

namespace dovetail::pages {
namespace {

using Json = nlohmann::ordered_json;

// What a browser takes for the data.
Json DataOf(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(PageTest, DataComesThroughWhateverItHolds) {
  const Json data = {{"name", "</script><b>\"&\\"}, {"ms", 1.5}};
  EXPECT_EQ(DataOf(Page("t", data, "")), data);
}

TEST(PageTest, BytesThatAreNoTextDoNotStopIt) {
  const Json data = {{"name", "\xff\xfe"}};
  EXPECT_TRUE(DataOf(Page("t", data, "")).at("name").is_string());
}

TEST(PageTest, TitleIsText) {
  EXPECT_TRUE(absl::StrContains(Page("<b>", {}, ""), "<title>&lt;b&gt;"));
}

TEST(PageTest, NothingComesFromTheNetwork) {
  const std::string page = Page("t", Json::object(), kProfileScript);
  for (const char* word : {"http:", "https:", "src=", "href=", "url(",
                           "@import", "fetch(", "XMLHttp"}) {
    EXPECT_FALSE(absl::StrContains(page, word)) << word;
  }
}

}  // namespace
}  // namespace dovetail::pages
