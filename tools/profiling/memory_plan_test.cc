#include "dovetail/tools/profiling/memory_plan.h"

#include <gtest/gtest.h>

namespace dovetail::profiling {
namespace {

using Json = nlohmann::json;

TEST(MemoryPlanTest, HasArenasAndWhatLiesInThem) {
  const Json data = MemoryPlanData(
      "arena 0 256\n"
      "region 0 0 128 0 1 Convolution conv 1/add\n"
      "region 0 128 64 1 1 scratch pool\n"
      "arena 1 64\n"
      "region 1 0 64 2 3 Relu r\n");
  EXPECT_EQ(data.at("arenas"), Json::parse("[256, 64]"));
  EXPECT_EQ(data.at("regions"), Json::parse(R"([
    [0, 0, 128, 0, 1, "Convolution", "conv 1/add"],
    [0, 128, 64, 1, 1, "scratch", "pool"],
    [1, 0, 64, 2, 3, "Relu", "r"]])"));
}

TEST(MemoryPlanTest, NothingIsKnownWithoutRegions) {
  for (const char* text : {"", "arena 0 64\n", "no plan at all"}) {
    EXPECT_TRUE(MemoryPlanData(text).is_null()) << text;
  }
}

TEST(MemoryPlanTest, WhatMakesNoSenseIsPassedOver) {
  const Json data = MemoryPlanData(
      "arena 0 64\n"
      "arena 7 64\n"
      "region 1 0 64 0 0 Relu of_no_arena\n"
      "region 0 32 64 0 0 Relu too_large\n"
      "region 0 0 9223372036854775807 0 0 Relu much_too_large\n"
      "region 0 0 64 2 1 Relu backwards\n"
      "region 0 -1 64 0 0 Relu negative\n"
      "region 0 0 x 0 0 Relu no_number\n"
      "region 0 0\n"
      "region 0 0 64 0 0 Relu right\n");
  ASSERT_EQ(data.at("regions").size(), 1u);
  EXPECT_EQ(data.at("regions")[0][6], "right");
}

}  // namespace
}  // namespace dovetail::profiling
