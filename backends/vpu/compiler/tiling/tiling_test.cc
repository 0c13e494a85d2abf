#include "dovetail/backends/vpu/compiler/tiling/tiling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

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

// 3 descriptors of 50 steps, or 5 of 25 with an overhead of 5.
TEST(HwModeTest, FewerDescriptorsWinWhereCostsAreTheSame) {
  const auto mode = ChooseMode(*DefaultMachine(), Square(2, 520, 14, 5));
  ASSERT_TRUE(mode.ok()) << mode.status();
  EXPECT_EQ(mode->cost(), 150);
  EXPECT_EQ(mode->descriptors, 3);
  EXPECT_EQ(mode->in_block, 1);
}

TEST(HwModeTest, EachLimitIsNamed) {
  EXPECT_THAT(ModeError(Square(2049, 8, 7, 1)), HasSubstr("2049 channels"));
  EXPECT_THAT(ModeError(Square(8, 8, 4097, 1)), HasSubstr("4097"));
  EXPECT_THAT(ModeError(Square(512, 8, 7, 3)), HasSubstr("coefficients"));
  EXPECT_THAT(ModeError(Square(2048, 512, 7, 1)), HasSubstr("line buffer"));
  EXPECT_THAT(ModeError({8, 8, 508, 32, 508, 32, 1, 1, 1}),
              HasSubstr("fewer than 64 rows"));
  // Not of pictures, of one row, of 64.
  EXPECT_EQ(ModeError({3, 8, 508, 32, 508, 32, 1, 1, 1}), "");
  EXPECT_EQ(ModeError({8, 8, 508, 1, 508, 1, 1, 1, 1}), "");
  EXPECT_EQ(ModeError({8, 8, 508, 64, 508, 64, 1, 1, 1}), "");
}

// 256 products a step in each mode, with the overhead that it has.
TEST(HwModeTest, EachModeHasItsOverhead) {
  const struct {
    int64_t in, out, block, descriptors, steps, overhead;
  } cases[] = {{16, 256, 1, 1, 16, 0},
               {512, 128, 2, 1, 256, 5},
               {64, 64, 4, 1, 16, 11},
               {256, 32, 8, 1, 32, 19},
               {480, 16, 16, 1, 30, 31}};
  for (const auto& one : cases) {
    const auto mode =
        ChooseMode(*DefaultMachine(), Square(one.in, one.out, 14, 1));
    ASSERT_TRUE(mode.ok()) << mode.status();
    EXPECT_EQ(mode->in_block, one.block) << one.in;
    EXPECT_EQ(mode->descriptors, one.descriptors) << one.in;
    EXPECT_EQ(mode->steps, one.steps) << one.in;
    EXPECT_EQ(mode->overhead, one.overhead) << one.in;
  }
}

TEST(HwModeTest, ChannelsAreRoundedUp) {
  // 3 inputs in one block of 4, 9 outputs as 16.
  const auto mode = ChooseMode(*DefaultMachine(), Square(3, 61, 14, 7));
  ASSERT_TRUE(mode.ok()) << mode.status();
  EXPECT_EQ(mode->in_block, 4);
  EXPECT_EQ(mode->steps, 49);
  EXPECT_EQ(mode->descriptors, 1);
}

TEST(HwModeTest, CoefficientsOfTwentyEightBlocksFit) {
  EXPECT_EQ(ModeError(Square(448, 16, 8, 3)), "");
  EXPECT_THAT(ModeError(Square(449, 16, 8, 3)),
              HasSubstr("261 steps of coefficients, more than 256"));
}

TEST(HwModeTest, NarrowTilesNeedARowMore) {
  // 2048 channels of 16 bytes a row: 4 rows, of which 1x1 needs 4, and 5 of
  // a tile of up to 8 columns.
  EXPECT_THAT(ModeError(Square(2048, 16, 7, 1)), HasSubstr("4 of 5 rows"));
  EXPECT_EQ(ModeError(Square(1024, 16, 14, 1)), "");
}

TEST(PlaneTilesTest, TilesThatPadComputeJunk) {
  const PlaneAxis axis{56, 56, 3, 1, 1, 1};
  const auto tiles = CutAxis(axis, 19);
  ASSERT_EQ(tiles.size(), 4u);
  EXPECT_EQ(tiles[0].output(), 18);  // and one below that padding spoils
  EXPECT_EQ(tiles[1].output(), 17);  // and one above
  EXPECT_EQ(tiles[1].in_begin, 17);
  EXPECT_EQ(tiles[1].in_end, 36);
  for (const PlaneTile& tile : tiles) EXPECT_LE(tile.computed, 19);
  EXPECT_EQ(tiles.back().out_end, 56);
  EXPECT_EQ(tiles.back().in_end, 56);
}

TEST(PlaneTilesTest, TilesHangTogether) {
  for (const int64_t kernel : {1, 3, 5, 7}) {
    for (const int64_t stride : {1, 2, 3}) {
      PlaneAxis axis{97, 0, kernel, stride, kernel / 2, kernel / 2};
      axis.output = OutputsOf(axis, axis.input, false);
      for (const int64_t most : {8, 31, 97}) {
        int64_t end = 0;  // 8 hold more than the junk of 7 rows' window
        for (const PlaneTile& tile : CutAxis(axis, most)) {
          EXPECT_EQ(tile.out_begin, end);
          EXPECT_GT(tile.output(), 0);
          EXPECT_LE(tile.computed, std::max<int64_t>(most, axis.output));
          EXPECT_LE(tile.in_end, axis.input);
          end = tile.out_end;
        }
        EXPECT_EQ(end, axis.output) << kernel << " " << stride << " " << most;
      }
    }
  }
}

TEST(PlaneTilesTest, EnginesPadHalfTheWindow) {
  EXPECT_TRUE(PadsConvolution({28, 28, 3, 1, 1, 1}));
  EXPECT_TRUE(PadsConvolution({28, 26, 3, 1, 0, 0}));
  EXPECT_FALSE(PadsConvolution({224, 112, 7, 2, 2, 3}));
  EXPECT_TRUE(PadsPool({112, 56, 3, 2, 0, 1}));
  EXPECT_FALSE(PadsPool({13, 6, 2, 2, 0, 0}));  // even over odd
}

TEST(TilingTest, ChannelsAreCutWhereNothingElseHelps) {
  // Sums of partial results cost far more than rows.
  const auto rows = SearchTiling(*DefaultMachine(), Square(2048, 512, 14, 1));
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(rows->channels, 1);
  EXPECT_EQ(rows->rows.size(), 7u);  // the line buffer holds 2
  EXPECT_THAT(rows->reason, HasSubstr("line buffer"));
  const auto channels = SearchTiling(*DefaultMachine(), Square(512, 512, 7, 3));
  ASSERT_TRUE(channels.ok());
  EXPECT_EQ(channels->rows.size(), 1u);
  EXPECT_EQ(channels->tile_channels, 256);
}

// The line buffer holds two rows of 512 channels, which would be 28 tiles.
TEST(TilingTest, RowsAreCutIntoFifteenAtMost) {
  const auto tiling = SearchTiling(*DefaultMachine(), Square(512, 128, 56, 1));
  ASSERT_TRUE(tiling.ok()) << tiling.status();
  EXPECT_EQ(tiling->channels, 2);
  EXPECT_LE(tiling->rows.size(), 15u);
  EXPECT_EQ(SearchTiling(*DefaultMachine(), Square(512, 128, 30, 1))->channels,
            1);
}

TEST(TilingTest, TilesOfColumnsAreSixtyFourWide) {
  Machine machine = *DefaultMachine();
  machine.tiling_limit_bytes = 4096;  // two rows of 8 channels by 128 pixels
  const auto narrow = SearchTiling(machine, {8, 8, 120, 15, 120, 15, 1, 1, 1});
  ASSERT_TRUE(narrow.ok()) << narrow.status();
  EXPECT_EQ(narrow->columns.size(), 1u);
}

TEST(TilingTest, SomeShapesHaveTilesOfTheirOwn) {
  const auto known = SearchTiling(*DefaultMachine(), Square(1024, 384, 17, 1));
  ASSERT_TRUE(known.ok()) << known.status();
  EXPECT_EQ(known->channels, 2);
  EXPECT_EQ(known->spatial(), 1);
  EXPECT_THAT(known->reason, HasSubstr("own tiles"));
  Machine machine = *DefaultMachine();
  machine.cmx_slices = 8;  // they were chosen for 9
  const auto searched = SearchTiling(machine, Square(1024, 384, 17, 1));
  ASSERT_TRUE(searched.ok());
  EXPECT_EQ(searched->channels, 1);
  EXPECT_EQ(searched->rows.size(), 9u);
}

TEST(TilingTest, PaddedPlanesOfPoolsAreCut) {
  // 112 pixels of 224 bytes: 8 rows and one of padding take 2016 of the 2048
  // bytes that a plane with padding below may take.
  const ConvShape pool = {64, 64, 112, 112, 56, 56, 3, 3, 2};
  const auto tiling = SearchPoolTiling(*DefaultMachine(), pool);
  ASSERT_TRUE(tiling.ok()) << tiling.status();
  EXPECT_GT(tiling->rows.size(), 1u);
  EXPECT_THAT(tiling->reason, HasSubstr("padded plane"));
  Machine machine = *DefaultMachine();
  machine.padded_pool_bytes = 1e6;
  EXPECT_EQ(SearchPoolTiling(machine, pool)->count(), 1);
}

// Rows of 32 bytes: 4096 hold 127 and one of padding, 2048 half of them.
TEST(TilingTest, PlanesPaddedBelowMayTakeHalf) {
  const auto tiles = [](int64_t height, int64_t pad) {
    const ConvShape pool = {16, 16, 16, height, 16, height - 2 + 2 * pad,
                            3,  3,  1};
    const auto tiling = SearchPoolTiling(*DefaultMachine(), pool);
    EXPECT_TRUE(tiling.ok()) << tiling.status();
    return tiling.ok() ? tiling->rows.size() : 0;
  };
  EXPECT_EQ(tiles(127, 0), 1u);  // padded beside only
  EXPECT_GT(tiles(128, 0), 1u);
  EXPECT_EQ(tiles(63, 1), 1u);
  EXPECT_GT(tiles(64, 1), 1u);
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

// 3x3 with a pool of 2x2 behind it.
ConvShape Pooled(int64_t in, int64_t out, int64_t width, int64_t height) {
  ConvShape shape = {in, out, width, height, width / 2, height / 2, 3, 3, 1};
  shape.pools = true;
  return shape;
}

std::string PooledError(const ConvShape& shape) {
  const auto tiling = SearchPooledTiling(*DefaultMachine(), shape);
  return tiling.ok() ? "" : std::string(tiling.status().message());
}

TEST(TilingTest, RowsOfConvolutionsWithPoolsAreAsLongAsTheirChannelsAllow) {
  const struct {
    int64_t channels, most;
  } cases[] = {{32, 288}, {48, 192}, {64, 144}, {80, 112},
               {96, 96},  {112, 80}, {128, 72}};
  for (const auto& [channels, most] : cases) {
    EXPECT_EQ(PooledError(Pooled(channels, 16, most, 8)), "") << channels;
    EXPECT_THAT(PooledError(Pooled(channels, 16, most + 2, 8)),
                HasSubstr(absl::StrCat(most, " for ", channels, " channels")));
    EXPECT_NE(PooledError(Pooled(channels - 15, 16, most + 2, 8)), "");
  }
  EXPECT_EQ(PooledError(Pooled(16, 16, 300, 8)), "");
}

TEST(TilingTest, ChannelsOfConvolutionsWithPoolsAreNotCut) {
  EXPECT_EQ(PooledError(Pooled(448, 16, 8, 8)), "");
  EXPECT_THAT(PooledError(Pooled(512, 16, 8, 8)), HasSubstr("coefficients"));
}

TEST(TilingTest, ExtentsOfConvolutionsWithPoolsAreEven) {
  for (const auto& [width, height] :
       {std::pair(7, 8), {8, 7}, {10, 8}, {8, 10}, {4, 8}}) {
    EXPECT_THAT(PooledError(Pooled(16, 16, width, height)),
                HasSubstr("odd or too small"))
        << width << " " << height;
  }
}

TEST(TilingTest, ConvolutionsWithPoolsAreCutIntoRows) {
  const ConvShape shape = Pooled(16, 32, 208, 208);
  const auto tiling = SearchPooledTiling(*DefaultMachine(), shape);
  ASSERT_TRUE(tiling.ok()) << tiling.status();
  EXPECT_EQ(tiling->channels, 1);
  EXPECT_EQ(tiling->columns.size(), 1u);
  ASSERT_EQ(tiling->rows.size(), 3u);
  EXPECT_THAT(tiling->reason, HasSubstr("of CMX"));
  // Of the 51 that each computes those beside another tile are junk.
  EXPECT_EQ(tiling->rows[0].computed, 51);
  EXPECT_EQ(tiling->rows[0].out_end, 50);
  EXPECT_EQ(tiling->rows[0].in_end, 102);
  EXPECT_EQ(tiling->rows[1].out_begin, 50);
  EXPECT_EQ(tiling->rows[1].in_begin, 98);
  EXPECT_EQ(tiling->rows[1].out_end, 99);
  EXPECT_EQ(tiling->rows[2].out_end, 104);
  EXPECT_EQ(tiling->TileAt(shape, 0, 0).pixels(), 4 * 51 * 104);
  EXPECT_EQ(tiling->KeptAt(shape, 0, 0).pixels(), 4 * 50 * 104);
}

TEST(TilingTest, WhatNoTileFitsSaysWhy) {
  const auto tiling = SearchTiling(*DefaultMachine(), Square(8, 2049, 7, 1));
  EXPECT_THAT(tiling.status().message(), HasSubstr("2049 channels"));
}

}  // namespace
}  // namespace dovetail::vpu
