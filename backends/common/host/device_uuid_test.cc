#include "dovetail/backends/common/host/device_uuid.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

TEST(DeviceUuidTest, TellsMachinesProcessorsAndDevicesApart) {
  const auto file = [](const std::string& name) {
    const std::string path = testing::TempDir() + "/uuid_" + name;
    std::ofstream(path) << name << "\n";
    return path;
  };
  const std::string one = file("one"), two = file("two");
  const std::string uuid = DeviceUuid("CPU", "Fast 1", one);
  EXPECT_THAT(uuid, testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(DeviceUuid("CPU", "Fast 1", one), uuid);
  EXPECT_NE(DeviceUuid("CPU", "Fast 1", two), uuid);
  EXPECT_NE(DeviceUuid("CPU", "Fast 2", one), uuid);
  EXPECT_NE(DeviceUuid("REFERENCE", "Fast 1", one), uuid);
  EXPECT_NE(uuid.substr(0, 16), uuid.substr(16));
  EXPECT_EQ(DeviceUuid("CPU", "Fast 1", "/no/such").size(), 32u);
  // Of this very form for ever: who has noted it must find it again.
  EXPECT_EQ(DeviceUuid("CPU", "", "/no/such"),
            "b5e07dc863b7aedb73dc058ea0eb687e");
}

}  // namespace
}  // namespace dovetail
