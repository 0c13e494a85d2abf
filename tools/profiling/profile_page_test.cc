#include "dovetail/tools/profiling/profile_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace dovetail::profiling {
namespace {

using Json = nlohmann::json;

Json DataOf(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(ProfilePageTest, HoldsTimesRowsAndFacts) {
  ProfilingRecord record;
  record.name = "conv";
  record.type = "Convolution";
  record.kernel = "jit";
  record.status = ProfilingRecord::Status::kExecuted;
  record.start_ns = 2000;
  record.duration_ns = 1000000;
  Profile profile;
  profile.Add({1000, 2000000, {record}});
  const Json data = DataOf(
      ProfilePage("net", {{"processor", "made up"}}, profile, "CPU", nullptr));
  EXPECT_EQ(data.at("title"), "net");
  EXPECT_EQ(data.at("facts")[0][1], "made up");
  EXPECT_EQ(data.at("layers")[0].at("ms"), 1.0);
  EXPECT_EQ(data.at("types")[0].at("name"), "Convolution");
  ASSERT_EQ(data.at("rows").size(), 2u);
  EXPECT_EQ(data.at("rows")[1].at("process"), "CPU");
  EXPECT_EQ(data.at("rows")[1].at("spans")[0],
            Json::parse(R"(["conv", 1.0, 1000.0, "Convolution", "jit"])"));
  EXPECT_TRUE(data.at("graph").empty());
  EXPECT_TRUE(data.at("places").is_null());
}

TEST(ProfilePageTest, HoldsThePlacesThatADeviceTells) {
  Profile profile;
  profile.Add({1000, 2000000, {}});
  const Json data =
      DataOf(ProfilePage("net", {}, profile, "CPU", nullptr,
                         "arena 0 64\nregion 0 0 64 0 1 Relu r\n"));
  EXPECT_EQ(data.at("places").at("regions")[0][6], "r");
}

}  // namespace
}  // namespace dovetail::profiling
