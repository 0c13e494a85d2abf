#include "dovetail/tools/pages/graph_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>

namespace dovetail::pages {
namespace {

// Where the box of each name is.
std::map<std::string, std::pair<double, double>> PlacesIn(
    const std::string& svg) {
  std::map<std::string, std::pair<double, double>> places;
  const std::regex box(
      "<title>([^<]*)</title><rect x=\"([^\"]*)\" y=\"([^\"]*)\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), box), end; it != end;
       ++it) {
    places[(*it)[1]] = {std::stod((*it)[2]), std::stod((*it)[3])};
  }
  return places;
}

TEST(GraphSvgTest, BoxesLieBelowWhatTheyReadAndBesideEachOther) {
  const auto places = PlacesIn(GraphSvg({{"In", "a", "a", "#fff", {}},
                                         {"L", "b", "b", "#fff", {0}},
                                         {"R", "c", "c", "#fff", {0}},
                                         {"Add", "d", "d", "#fff", {1, 2}}},
                                        {}));
  ASSERT_EQ(places.size(), 4u);
  EXPECT_LT(places.at("a").second, places.at("b").second);
  EXPECT_EQ(places.at("b").second, places.at("c").second);
  EXPECT_LT(places.at("c").second, places.at("d").second);
  EXPECT_GE(places.at("c").first - places.at("b").first, 136);
  EXPECT_EQ(places.at("a").first, places.at("d").first);
  for (const auto& [name, at] : places) EXPECT_GE(at.first, 0) << name;
}

TEST(GraphSvgTest, TextsMayHoldAnything) {
  const std::string svg = GraphSvg(
      {{"A<B>&\"", "überaus lange Namen äöüäöüäöü", "tip", "#fff", {}}},
      {{"CPU & GPU", "#abc"}});
  EXPECT_THAT(svg, testing::HasSubstr("A&lt;B&gt;&amp;&quot;"));
  EXPECT_THAT(svg, testing::HasSubstr("CPU &amp; GPU"));
  EXPECT_THAT(svg, testing::HasSubstr("…</text>"));
}

TEST(GraphSvgTest, AnEmptyGraphIsAPicture) {
  EXPECT_THAT(GraphSvg({}, {}), testing::StartsWith("<svg "));
}

}  // namespace
}  // namespace dovetail::pages
