#include "dovetail/backends/left_out.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// What is left out depends on the flags of the build; each entry has to name a
// device and a flag all the same, and the closing one must not show.
TEST(LeftOutBackendsTest, EachNamesItsFlag) {
  for (const LeftOutBackend& backend : LeftOutBackends()) {
    ASSERT_NE(backend.device, nullptr);
    ASSERT_NE(backend.flag, nullptr);
    EXPECT_THAT(std::string(backend.flag),
                testing::ContainsRegex("^--(@.*)?//backends:.*=.*"));
  }
}

}  // namespace
}  // namespace dovetail
