#include "dovetail/tools/comparing/comparison_data.h"

#include <gtest/gtest.h>

#include <limits>

#include "absl/strings/match.h"

namespace dovetail::comparing {
namespace {

Comparison Sample() {
  ComparedLayer layer;
  layer.name = "conv";
  layer.type = "Convolution";
  layer.is_off = true;
  layer.own.relative = 0.5;
  layer.own.worst = {{"[0,1]", 2, 1}};
  layer.through.relative = std::numeric_limits<double>::infinity();
  Comparison comparison;
  comparison.layers = {layer};
  comparison.output_names = {"y"};
  comparison.outputs = {layer.own};
  comparison.tolerance = 1e-4;
  comparison.first_off = 0;
  return comparison;
}

TEST(ComparisonDataTest, HasLayersOutputsAndPlaces) {
  const auto data = ComparisonData(Sample());
  EXPECT_EQ(data.at("first_off"), 0);
  const auto& layer = data.at("layers")[0];
  EXPECT_EQ(layer.at("name"), "conv");
  EXPECT_EQ(layer.at("own").at("worst")[0].at("position"), "[0,1]");
  EXPECT_TRUE(layer.at("through").at("relative").is_null());
  EXPECT_EQ(data.at("outputs")[0].at("name"), "y");
  EXPECT_EQ(data.at("outputs")[0].at("off"), true);
}

TEST(ComparisonDataTest, PageNeedsNoNetwork) {
  const std::string page =
      ComparisonPage("a against b", {{"model", "net"}}, Sample());
  EXPECT_TRUE(absl::StrContains(page, "\"title\":\"a against b\""));
  for (const char* word : {"http:", "https:", "src=", "href=", "url("}) {
    EXPECT_FALSE(absl::StrContains(page, word)) << word;
  }
}

}  // namespace
}  // namespace dovetail::comparing
