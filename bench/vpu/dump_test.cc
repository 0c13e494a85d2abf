#include "dovetail/bench/vpu/dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(DumpTest, WrongNumbersAreNamed) {
  const auto dump =
      ParseDump(std::string(kHeader) + "a\tConvolution\tlong\t4\n");
  EXPECT_THAT(dump.status().message(),
              ::testing::HasSubstr("line 2: column 'time_us' is 'long'"));
}

}  // namespace
}  // namespace dovetail::vpu
