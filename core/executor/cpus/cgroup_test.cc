#include "dovetail/core/executor/cpus/cgroup.h"

#include <chrono>
#include <optional>
#include <string>

#include "dovetail/core/executor/cpus/testing/system_files.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// The folder stands for /sys/fs/cgroup, a file in it for /proc/self/cgroup.
class CgroupTest : public SystemFilesTest {
 protected:
  std::optional<nanoseconds> Time(const std::string& membership) {
    Write("self", membership);
    return CgroupCpuTime(root_ + "/self", root_);
  }
  std::optional<double> Limit(const std::string& membership) {
    Write("self", membership);
    return CgroupCpuLimit(root_ + "/self", root_);
  }
};

TEST_F(CgroupTest, NoLimitWithoutFiles) {
  EXPECT_EQ(Limit("0::/\n"), std::nullopt);
  EXPECT_EQ(CgroupCpuLimit("/nonexistent", "/nonexistent"), std::nullopt);
}

TEST_F(CgroupTest, LimitOfVersion2) {
  Write("a/b/cpu.max", "150000 100000\n");
  EXPECT_EQ(Limit("0::/a/b\n"), 1.5);
  EXPECT_EQ(Limit("0::/a\n"), std::nullopt);
}

TEST_F(CgroupTest, LimitOfVersion2TakesTheLowestOfTheGroupsAbove) {
  Write("a/b/cpu.max", "max 100000\n");
  Write("a/cpu.max", "200000 100000\n");
  Write("cpu.max", "400000 100000\n");
  EXPECT_EQ(Limit("0::/a/b\n"), 2.0);
}

TEST_F(CgroupTest, LimitOfVersion2InAContainerSeesTheRootOnly) {
  Write("cpu.max", "50000 100000\n");
  EXPECT_EQ(Limit("0::/../../kubepods/pod7\n"), 0.5);
}

TEST_F(CgroupTest, LimitOfVersion1) {
  Write("cpu,cpuacct/g/cpu.cfs_quota_us", "300000\n");
  Write("cpu,cpuacct/g/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Limit("5:memory:/g\n4:cpu,cpuacct:/g\n"), 3.0);
}

TEST_F(CgroupTest, LimitOfVersion1UnderTheShortNameAndWithoutQuota) {
  Write("cpu/cpu.cfs_quota_us", "-1\n");
  Write("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Limit("4:cpu,cpuacct:/\n"), std::nullopt);
  Write("cpu/cpu.cfs_quota_us", "250000\n");
  EXPECT_EQ(Limit("4:cpu,cpuacct:/\n"), 2.5);
}

TEST_F(CgroupTest, ALimitThatItCannotReadIsPassedOver) {
  Write("cpu.max", "lots\n");
  EXPECT_EQ(Limit("0::/\nnonsense\n7:cpuset:/\n\n"), std::nullopt);
  Write("cpu.max", "100000 0\n");
  EXPECT_EQ(Limit("0::/\n"), std::nullopt);
}

TEST_F(CgroupTest, TimeOfVersion2) {
  Write("a/b/cpu.stat", "usage_usec 1500\nuser_usec 1000\n");
  Write("a/cpu.stat", "usage_usec 9000\n");
  EXPECT_EQ(Time("0::/a/b\n"), microseconds(1500));
}

TEST_F(CgroupTest, TimeOfVersion2InAContainerSeesTheRootOnly) {
  Write("cpu.stat", "usage_usec 7\n");
  EXPECT_EQ(Time("0::/../../kubepods/pod7\n"), microseconds(7));
}

TEST_F(CgroupTest, TimeOfVersion1UnderEitherName) {
  Write("cpuacct/g/cpuacct.usage", "1234567\n");
  EXPECT_EQ(Time("5:memory:/g\n4:cpu,cpuacct:/g\n"), nanoseconds(1234567));
  EXPECT_EQ(Time("5:cpuacct:/g\n4:cpu:/g\n"), nanoseconds(1234567));
  Write("cpu,cpuacct/g/cpuacct.usage", "7\n");
  EXPECT_EQ(Time("4:cpu,cpuacct:/g\n"), nanoseconds(7));
}

// With both versions mounted, version 2 may have no controllers.
TEST_F(CgroupTest, ATimeThatDoesNotTellIsPassedOver) {
  Write("cpuacct/cpuacct.usage", "5\n");
  EXPECT_EQ(Time("0::/\nnonsense\n2:cpuacct:/\n"), nanoseconds(5));
  Write("cpuacct/cpuacct.usage", "soon\n");
  EXPECT_EQ(Time("0::/\n2:cpuacct:/\n"), std::nullopt);
  EXPECT_EQ(CgroupCpuTime("/nonexistent", "/nonexistent"), std::nullopt);
}

}  // namespace
}  // namespace dovetail
