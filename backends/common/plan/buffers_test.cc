#include "dovetail/backends/common/plan/buffers.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kBytes = 128;

TEST(BuffersTest, MemoryIsUsedAgainWhenNobodyNeedsIt) {
  Buffers buffers;
  const int a = buffers.Add(kBytes), b = buffers.Add(kBytes);
  const int c = buffers.Add(kBytes);
  for (const int step : {0, 1}) buffers.ExtendLiveRange(a, step);
  for (const int step : {1, 2}) buffers.ExtendLiveRange(b, step);
  for (const int step : {2, 3}) buffers.ExtendLiveRange(c, step);
  EXPECT_EQ(buffers.PlanArena(), 2 * kBytes);
  EXPECT_EQ(buffers.AddressOf({a, 0}).offset, buffers.AddressOf({c, 0}).offset);
  EXPECT_NE(buffers.AddressOf({a, 0}).offset, buffers.AddressOf({b, 0}).offset);
  EXPECT_EQ(buffers.AddressOf({b, 8}).offset,
            buffers.AddressOf({b, 0}).offset + 8);
}

TEST(BuffersTest, WhatNoStepNeedsTakesNoMemory) {
  Buffers buffers;
  buffers.Add(kBytes);
  EXPECT_EQ(buffers.PlanArena(), 0);
}

TEST(BuffersTest, InputsOutputsAndConstantsAreElsewhere) {
  Buffers buffers;
  const float constant = 1;
  const Address input = buffers.AddressOf({buffers.AddInput(2, kBytes), 4});
  EXPECT_EQ(input.space, Address::Space::kInput);
  EXPECT_EQ(input.index, 2);
  EXPECT_EQ(input.offset, 4);
  const Address output = buffers.AddressOf({buffers.AddOutput(1, kBytes), 0});
  EXPECT_EQ(output.space, Address::Space::kOutput);
  EXPECT_EQ(output.index, 1);
  const Address held = buffers.AddressOf({buffers.AddConstant(&constant), 0});
  EXPECT_EQ(held.space, Address::Space::kConstant);
  EXPECT_EQ(held.constant, &constant);
  EXPECT_EQ(buffers.PlanArena(), 0);
}

// ---- Arenas ----

TEST(BuffersTest, WhatTheFirstArenaHasNoRoomForGoesIntoTheNext) {
  Buffers buffers;
  const int large = buffers.Add(4 * kBytes), small = buffers.Add(kBytes);
  for (const int buffer : {large, small}) buffers.ExtendLiveRange(buffer, 0);
  const auto bytes = buffers.PlanArenas({{.capacity = 2 * kBytes}, {}});
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_THAT(*bytes, ElementsAre(kBytes, 4 * kBytes));
  EXPECT_EQ(buffers.AddressOf({small, 0}).index, 0);
  const Address spilled = buffers.AddressOf({large, 8});
  EXPECT_EQ(spilled.space, Address::Space::kArena);
  EXPECT_EQ(spilled.index, 1);
  EXPECT_EQ(spilled.offset, 8);
}

TEST(BuffersTest, RegionsSayWhatLiesWhereAndWhen) {
  Buffers buffers;
  const int late = buffers.Add(kBytes), large = buffers.Add(4 * kBytes);
  const int early = buffers.Add(kBytes - 1);
  buffers.AddInput(0, kBytes);
  buffers.Add(kBytes);  // no step needs it
  buffers.ExtendLiveRange(early, 0);
  for (const int step : {0, 3}) buffers.ExtendLiveRange(large, step);
  for (const int step : {1, 2}) buffers.ExtendLiveRange(late, step);
  ASSERT_TRUE(buffers.PlanArenas({{.capacity = 2 * kBytes}, {}}).ok());
  std::vector<std::string> texts;
  for (const Buffers::Region& region : buffers.Regions()) {
    texts.push_back(absl::StrCat(region.buffer, ": arena ", region.arena, " ",
                                 region.offset, "+", region.bytes, " ",
                                 region.first, "-", region.last));
  }
  EXPECT_THAT(texts, ElementsAre(absl::StrCat(large, ": arena 1 0+512 0-3"),
                                 absl::StrCat(early, ": arena 0 0+127 0-0"),
                                 absl::StrCat(late, ": arena 0 0+128 1-2")));
}

// What lies within another buffer is where that is.
TEST(BuffersTest, PartsFollowTheirRootIntoItsArena) {
  Buffers buffers;
  const int a = buffers.Add(kBytes), b = buffers.Add(kBytes);
  for (const int buffer : {a, b}) buffers.ExtendLiveRange(buffer, 0);
  ASSERT_TRUE(
      buffers.ConcatInPlace({{{a, 0}, kBytes}, {{b, 0}, kBytes}}, 2 * kBytes));
  ASSERT_TRUE(buffers.PlanArenas({{.capacity = kBytes}, {}}).ok());
  EXPECT_EQ(buffers.AddressOf({b, 0}).index, 1);
  EXPECT_EQ(buffers.AddressOf({b, 0}).offset, kBytes);
}

TEST(BuffersTest, TellsWhenNoArenaHasRoom) {
  Buffers buffers;
  buffers.ExtendLiveRange(buffers.Add(2 * kBytes), 0);
  const auto bytes = buffers.PlanArenas({{.capacity = kBytes}});
  EXPECT_EQ(bytes.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(bytes.status().message()), HasSubstr("256 bytes"));
}

// ---- ConcatInPlace ----

TEST(BuffersTest, JoinedPartsLieOneAfterTheOther) {
  Buffers buffers;
  const int a = buffers.Add(kBytes), b = buffers.Add(2 * kBytes);
  buffers.ExtendLiveRange(a, 3);
  buffers.ExtendLiveRange(b, 1);
  const std::optional<int> whole = buffers.ConcatInPlace(
      {{{a, 0}, kBytes}, {{b, 0}, 2 * kBytes}}, 3 * kBytes);
  ASSERT_TRUE(whole.has_value());
  buffers.ExtendLiveRange(*whole, 4);
  EXPECT_EQ(buffers.PlanArena(), 3 * kBytes);
  EXPECT_EQ(buffers.AddressOf({b, 0}).offset,
            buffers.AddressOf({a, 0}).offset + kBytes);
  EXPECT_EQ(buffers.Root({b, 8}).buffer, *whole);
  EXPECT_EQ(buffers.Root({b, 8}).offset, kBytes + 8);
}

// The joined memory is needed from when the first of its parts is written.
TEST(BuffersTest, JoinedMemoryIsNeededAsLongAsItsParts) {
  Buffers buffers;
  const int a = buffers.Add(kBytes), b = buffers.Add(kBytes);
  const int meanwhile = buffers.Add(2 * kBytes);
  buffers.ExtendLiveRange(a, 0);
  buffers.ExtendLiveRange(meanwhile, 1);
  buffers.ExtendLiveRange(b, 2);
  ASSERT_TRUE(
      buffers.ConcatInPlace({{{a, 0}, kBytes}, {{b, 0}, kBytes}}, 2 * kBytes));
  EXPECT_EQ(buffers.PlanArena(), 4 * kBytes);
}

TEST(BuffersTest, HalvesOfOneBufferAreJoinedAsTheyLie) {
  Buffers buffers;
  const int a = buffers.Add(2 * kBytes);
  buffers.ExtendLiveRange(a, 0);
  EXPECT_FALSE(buffers.ConcatInPlace({{{a, kBytes}, kBytes}, {{a, 0}, kBytes}},
                                     2 * kBytes));
  EXPECT_TRUE(buffers.ConcatInPlace({{{a, 0}, kBytes}, {{a, kBytes}, kBytes}},
                                    2 * kBytes));
}

TEST(BuffersTest, RefusesToJoinWhatCannotMove) {
  Buffers buffers;
  const int a = buffers.Add(kBytes), long_one = buffers.Add(2 * kBytes);
  const int input = buffers.AddInput(0, kBytes);
  EXPECT_FALSE(buffers.ConcatInPlace({{{a, 0}, kBytes}, {{input, 0}, kBytes}},
                                     2 * kBytes));
  // Twice the same, a root that begins before the whole, one that ends after.
  EXPECT_FALSE(
      buffers.ConcatInPlace({{{a, 0}, kBytes}, {{a, 0}, kBytes}}, 2 * kBytes));
  EXPECT_FALSE(buffers.ConcatInPlace(
      {{{long_one, kBytes}, kBytes}, {{a, 0}, kBytes}}, 2 * kBytes));
  EXPECT_FALSE(buffers.ConcatInPlace(
      {{{a, 0}, kBytes}, {{long_one, 0}, kBytes}}, 2 * kBytes));
  // Roots that would overlap.
  EXPECT_FALSE(buffers.ConcatInPlace(
      {{{long_one, 0}, kBytes}, {{a, 0}, kBytes}}, 3 * kBytes));
}

// ---- BindOutput ----

TEST(BuffersTest, ResultsAreComputedWhereTheyAreWanted) {
  Buffers buffers;
  const int a = buffers.Add(2 * kBytes);
  EXPECT_FALSE(buffers.BindOutput({{a, 0}, kBytes}, 0));
  EXPECT_FALSE(buffers.BindOutput({{a, kBytes}, kBytes}, 0));
  EXPECT_TRUE(buffers.BindOutput({{a, 0}, 2 * kBytes}, 0));
  EXPECT_EQ(buffers.AddressOf({a, 0}).space, Address::Space::kOutput);
  // It is another output already.
  EXPECT_FALSE(buffers.BindOutput({{a, 0}, 2 * kBytes}, 1));
}

// ---- Alias ----

TEST(BuffersTest, AnOutputIsWrittenOverWhatIsReadForTheLastTime) {
  Buffers buffers;
  const int input = buffers.Add(kBytes), output = buffers.Add(kBytes);
  for (const int step : {0, 1}) buffers.ExtendLiveRange(input, step);
  for (const int step : {1, 2}) buffers.ExtendLiveRange(output, step);
  EXPECT_TRUE(buffers.Alias(output, {input, 0}, 1));
  EXPECT_EQ(buffers.PlanArena(), kBytes);
}

TEST(BuffersTest, AnOutputIsWrittenOverNothingThatIsReadLaterOrSmall) {
  Buffers buffers;
  const int read_later = buffers.Add(kBytes), small = buffers.Add(kBytes / 2);
  const int input = buffers.AddInput(0, kBytes), output = buffers.Add(kBytes);
  for (const int step : {0, 1, 2}) buffers.ExtendLiveRange(read_later, step);
  for (const int step : {0, 1}) buffers.ExtendLiveRange(small, step);
  buffers.ExtendLiveRange(input, 1);
  for (const int step : {1, 2}) buffers.ExtendLiveRange(output, step);
  EXPECT_FALSE(buffers.Alias(output, {read_later, 0}, 1));
  EXPECT_FALSE(buffers.Alias(output, {small, 0}, 1));
  EXPECT_FALSE(buffers.Alias(output, {input, 0}, 1));
}

}  // namespace
}  // namespace dovetail
