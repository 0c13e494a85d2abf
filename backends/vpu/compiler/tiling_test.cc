#include "dovetail/backends/vpu/compiler/tiling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dovetail::vpu {
namespace {

using ::testing::HasSubstr;

ConvShape Square(int64_t in, int64_t out, int64_t extent, int64_t kernel) {
  return {in, out, extent, extent, extent, extent, kernel, kernel, 1};
}

std::string ModeError(const ConvShape& tile) {
  const auto mode = ChooseMode(*DefaultMachine(), tile);
  return mode.ok() ? "" : std::string(mode.status().message());
}

TEST(HwModeTest, CheapestModeWins) {
  // 64 to 64 by 3x3: one descriptor of 16 blocks of 4, with an overhead of 11.
  const auto mode = ChooseMode(*DefaultMachine(), Square(64, 64, 56, 3));
  ASSERT_TRUE(mode.ok()) << mode.status();
  EXPECT_EQ(mode->in_block, 4);
  EXPECT_EQ(mode->descriptors, 1);
  EXPECT_EQ(mode->cost(), 16 * 9 + 11);
}

TEST(HwModeTest, EachLimitIsNamed) {
  EXPECT_THAT(ModeError(Square(2049, 8, 7, 1)), HasSubstr("2049 channels"));
  EXPECT_THAT(ModeError(Square(8, 8, 4097, 1)), HasSubstr("4097"));
  EXPECT_THAT(ModeError(Square(512, 8, 7, 3)), HasSubstr("coefficients"));
  EXPECT_THAT(ModeError(Square(2048, 512, 7, 1)), HasSubstr("line buffer"));
  EXPECT_THAT(ModeError({8, 8, 508, 32, 508, 32, 1, 1, 1}),
              HasSubstr("fewer than 64 rows"));
}

TEST(TilingTest, WhatFitsIsOnePiece) {
  const auto tiling = SearchTiling(*DefaultMachine(), Square(64, 64, 56, 3));
  ASSERT_TRUE(tiling.ok()) << tiling.status();
  EXPECT_EQ(tiling->count(), 1);
  EXPECT_EQ(tiling->reason, "");
}

TEST(TilingTest, OutputsBeyondCmxAreCutIntoRows) {
  const auto tiling = SearchTiling(*DefaultMachine(), Square(64, 256, 56, 1));
  ASSERT_TRUE(tiling.ok()) << tiling.status();
  EXPECT_GT(tiling->rows.size(), 1u);
  EXPECT_EQ(tiling->channels, 1);
  EXPECT_THAT(tiling->reason, HasSubstr("of CMX"));
}

TEST(TilingTest, CoefficientsBeyondTheEngineAreCutIntoInputChannels) {
  const auto tiling = SearchTiling(*DefaultMachine(), Square(512, 512, 7, 3));
  ASSERT_TRUE(tiling.ok()) << tiling.status();
  EXPECT_EQ(tiling->channels, 2);
  EXPECT_THAT(tiling->reason, HasSubstr("coefficients"));
}

TEST(TilingTest, SmallerCmxNeedsNoFewerTiles) {
  Machine machine = *DefaultMachine();
  int64_t before = 1;
  for (const double bytes : {589824., 400000., 200000., 100000.}) {
    machine.tiling_limit_bytes = bytes;
    const auto tiling = SearchTiling(machine, Square(64, 192, 56, 3));
    ASSERT_TRUE(tiling.ok()) << tiling.status();
    EXPECT_GE(tiling->spatial(), before);
    before = tiling->spatial();
  }
}

TEST(TilingTest, WhatNoTileFitsSaysWhy) {
  const auto tiling = SearchTiling(*DefaultMachine(), Square(8, 2049, 7, 1));
  EXPECT_THAT(tiling.status().message(), HasSubstr("2049 channels"));
}

}  // namespace
}  // namespace dovetail::vpu
