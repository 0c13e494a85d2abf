#include "dovetail/core/executor/cpus/cpu_info.h"

#include <sched.h>

#include <string>

#include "dovetail/core/executor/cpus/testing/system_files.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using CpuFilesTest = SystemFilesTest;

TEST(CpuInfoTest, UsableCpusFollowTheAffinityMask) {
  EXPECT_GE(UsableCpus(), 1);
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &one);
      break;
    }
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(UsableCpus(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST_F(CpuFilesTest, TheClockIsTheGreatestThatTheSystemTells) {
  Write("system/cpu/cpu0/cpufreq/base_frequency", "2000000\n");
  EXPECT_EQ(CpuGigahertz(root_), 2.0);
  Write("system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3500000\n");
  EXPECT_EQ(CpuGigahertz(root_), 3.5);
}

TEST_F(CpuFilesTest, TheTemperatureIsThatOfTheHottestSensorOfTheProcessor) {
  EXPECT_EQ(CpuTemperature(root_), std::nullopt);
  EXPECT_EQ(CpuTemperature(root_ + "/none"), std::nullopt);
  Write("thermal_zone0/type", "acpitz\n");
  Write("thermal_zone0/temp", "90000\n");
  EXPECT_EQ(CpuTemperature(root_), std::nullopt);
  Write("thermal_zone1/type", "x86_pkg_temp\n");
  Write("thermal_zone1/temp", "41500\n");
  Write("thermal_zone2/type", "x86_pkg_temp\n");
  Write("thermal_zone2/temp", "-500\n");
  EXPECT_EQ(CpuTemperature(root_), 41.5);
}

}  // namespace
}  // namespace dovetail
