#include "dovetail/bench/vpu/dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace dovetail::vpu {
namespace {

constexpr char kHeader[] =
    "layer\tlayer_type\ttime_us\tin_h\tin_w\tin_c\tout_h\tout_w\tout_c\tk_h\t"
    "k_w\tstride\tmacs\n";

TEST(DumpTest, LayersReadTheLastOfTheirShape) {
  const auto dump =
      ParseDump(std::string(kHeader) +
                "a\tConvolution\t9\t4\t4\t8\t4\t4\t16\t1\t1\t1\t2048\n"
                "b\tConvolution\t8\t4\t4\t16\t4\t4\t16\t3\t3\t1\t36864\n"
                "c\tEltwise\t7\t4\t4\t16\t4\t4\t16\t\t\t\t\n");
  ASSERT_TRUE(dump.ok()) << dump.status();
  ASSERT_EQ(dump->network.size(), 3u);
  EXPECT_TRUE(dump->network[0].inputs.empty());
  EXPECT_THAT(dump->network[1].inputs, ::testing::ElementsAre(0));
  EXPECT_THAT(dump->network[2].inputs, ::testing::ElementsAre(1, 0));
  EXPECT_EQ(dump->network[1].shape.kernel_y, 3);
  EXPECT_EQ(dump->network[1].macs, 36864);
  EXPECT_THAT(dump->microseconds, ::testing::ElementsAre(9, 8, 7));
}

// Of the same extents: channels in and out.
std::string RowOf(const std::string& name, int in, int out,
                  const std::string& type = "Convolution") {
  return absl::StrCat(name, "\t", type, "\t5\t4\t4\t", in, "\t4\t4\t", out,
                      "\t1\t1\t1\t\n");
}

std::vector<std::string> Names(const Dump& dump, const std::vector<int>& some) {
  std::vector<std::string> names;
  for (const int i : some) names.push_back(dump.network[i].name);
  return names;
}

// Branches of 8 and 24 channels, then readers of both together.
TEST(DumpTest, WhatNobodyHasReadIsConcatenated) {
  const auto dump = ParseDump(
      absl::StrCat(kHeader, RowOf("a", 3, 16), RowOf("b", 16, 8),
                   RowOf("c", 16, 24), RowOf("d", 32, 4), RowOf("e", 32, 5)));
  ASSERT_TRUE(dump.ok()) << dump.status();
  ASSERT_EQ(dump->network.size(), 6u);
  EXPECT_EQ(dump->network[3].kind, LayerKind::kConcat);
  EXPECT_EQ(dump->microseconds[3], 0);
  EXPECT_THAT(Names(*dump, dump->network[3].inputs),
              ::testing::ElementsAre("b", "c"));
  EXPECT_THAT(dump->network[4].inputs, ::testing::ElementsAre(3));
  EXPECT_THAT(dump->network[5].inputs, ::testing::ElementsAre(3));
}

// Its first stage ran before the layers that it reads were done.
TEST(DumpTest, LayersMoveBehindTheirInputs) {
  const auto dump = ParseDump(absl::StrCat(
      kHeader, RowOf("a", 3, 16), RowOf("d", 32, 4),
      RowOf("all", 8, 32, "Concat"), RowOf("b", 16, 8), RowOf("c", 16, 24)));
  ASSERT_TRUE(dump.ok()) << dump.status();
  std::vector<std::string> names;
  for (const Layer& layer : dump->network) names.push_back(layer.name);
  EXPECT_THAT(names, ::testing::ElementsAre("a", "b", "c", "all", "d"));
  EXPECT_THAT(dump->network[4].inputs, ::testing::ElementsAre(3));
}

// Of a picture of 4x4 with a pixel around it, and of one without.
TEST(DumpTest, PaddingInFrontOfAConvolutionIsItsOwn) {
  const auto dump = ParseDump(
      absl::StrCat(kHeader, RowOf("picture", 3, 3, "<Extra>"),
                   "padded\tConvolution\t5\t6\t6\t3\t4\t4\t8\t3\t3\t1\t\n",
                   "valid\tConvolution\t5\t4\t4\t8\t2\t2\t8\t3\t3\t1\t\n"));
  ASSERT_TRUE(dump.ok()) << dump.status();
  ASSERT_EQ(dump->network.size(), 3u);
  const ConvShape& padded = dump->network[1].shape;
  EXPECT_THAT(dump->network[1].inputs, ::testing::ElementsAre(0));
  EXPECT_EQ(padded.in_width, 4);
  EXPECT_EQ(padded.in_height, 4);
  EXPECT_EQ(padded.pad_x, 1);
  EXPECT_EQ(padded.pad_y, 1);
  EXPECT_EQ(dump->network[2].shape.in_width, 4);
  EXPECT_EQ(dump->network[2].shape.pad_x, kAutoPad);
}

TEST(DumpTest, MeansAreToldFromMaxima) {
  const auto dump =
      ParseDump("layer\tlayer_type\tpool\nx\tPooling\tAVG\ny\tPooling\tMAX\n");
  ASSERT_TRUE(dump.ok()) << dump.status();
  EXPECT_EQ(dump->network[0].type, "AvgPool");
  EXPECT_EQ(dump->network[1].type, "MaxPool");
}

TEST(DumpTest, WrongNumbersAreNamed) {
  const auto dump =
      ParseDump(std::string(kHeader) + "a\tConvolution\tlong\t4\n");
  EXPECT_THAT(dump.status().message(),
              ::testing::HasSubstr("line 2: column 'time_us' is 'long'"));
}

}  // namespace
}  // namespace dovetail::vpu
