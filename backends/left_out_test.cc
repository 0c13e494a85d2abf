// Tests the list as the build writes it when it leaves the null backend out,
// whatever the flags of this build leave out.

#include "dovetail/backends/left_out.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(LeftOutBackendsTest, NamesDeviceAndFlag) {
  ASSERT_EQ(LeftOutBackends().size(), 1);
  EXPECT_STREQ(LeftOutBackends()[0].device, "NULL");
  // The second where the build was told --//backends:preset=...
  EXPECT_THAT(std::string(LeftOutBackends()[0].flag),
              testing::AnyOf("--//backends:with_null=true",
                             "--//backends:preset=all"));
}

}  // namespace
}  // namespace dovetail
