#include "dovetail/core/executor/cpu_info.h"

#include <sched.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

// A folder that stands for /sys/fs/cgroup, and a file for /proc/self/cgroup.
class CgroupTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = testing::TempDir() + "/cgroup_" + test->name();
    std::filesystem::create_directories(root_);
  }
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + "/" + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::optional<double> Limit(const std::string& membership) {
    Write("self", membership);
    return CgroupCpuLimit(root_ + "/self", root_);
  }
  std::string root_;
};

TEST_F(CgroupTest, NoLimitWithoutFiles) {
  EXPECT_EQ(Limit("0::/\n"), std::nullopt);
  EXPECT_EQ(CgroupCpuLimit("/nonexistent", "/nonexistent"), std::nullopt);
}

TEST_F(CgroupTest, Version2) {
  Write("a/b/cpu.max", "150000 100000\n");
  EXPECT_EQ(Limit("0::/a/b\n"), 1.5);
  EXPECT_EQ(Limit("0::/a\n"), std::nullopt);
}

TEST_F(CgroupTest, Version2TakesTheLowestOfTheGroupsAbove) {
  Write("a/b/cpu.max", "max 100000\n");
  Write("a/cpu.max", "200000 100000\n");
  Write("cpu.max", "400000 100000\n");
  EXPECT_EQ(Limit("0::/a/b\n"), 2.0);
}

TEST_F(CgroupTest, Version2InAContainerSeesTheRootOnly) {
  Write("cpu.max", "50000 100000\n");
  EXPECT_EQ(Limit("0::/../../kubepods/pod7\n"), 0.5);
}

TEST_F(CgroupTest, Version1) {
  Write("cpu,cpuacct/g/cpu.cfs_quota_us", "300000\n");
  Write("cpu,cpuacct/g/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Limit("5:memory:/g\n4:cpu,cpuacct:/g\n"), 3.0);
}

TEST_F(CgroupTest, Version1UnderTheShortNameAndWithoutQuota) {
  Write("cpu/cpu.cfs_quota_us", "-1\n");
  Write("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Limit("4:cpu,cpuacct:/\n"), std::nullopt);
  Write("cpu/cpu.cfs_quota_us", "250000\n");
  EXPECT_EQ(Limit("4:cpu,cpuacct:/\n"), 2.5);
}

TEST_F(CgroupTest, PassesOverWhatItCannotRead) {
  Write("cpu.max", "lots\n");
  EXPECT_EQ(Limit("0::/\nnonsense\n7:cpuset:/\n\n"), std::nullopt);
  Write("cpu.max", "100000 0\n");
  EXPECT_EQ(Limit("0::/\n"), std::nullopt);
}

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

TEST_F(CgroupTest, TheClockIsTheGreatestThatTheSystemTells) {
  Write("system/cpu/cpu0/cpufreq/base_frequency", "2000000\n");
  EXPECT_EQ(CpuGigahertz(root_), 2.0);
  Write("system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3500000\n");
  EXPECT_EQ(CpuGigahertz(root_), 3.5);
}

TEST_F(CgroupTest, TheTemperatureIsThatOfTheHottestSensorOfTheProcessor) {
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
