#include "dovetail/core/executor/quota/cgroup_time.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

// A folder that stands for /sys/fs/cgroup, and a file for /proc/self/cgroup.
class CgroupTimeTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = testing::TempDir() + "/cgroup_time_" + test->name();
    std::filesystem::create_directories(root_);
  }
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + "/" + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::optional<nanoseconds> Time(const std::string& membership) {
    Write("self", membership);
    return CgroupCpuTime(root_ + "/self", root_);
  }
  std::string root_;
};

TEST_F(CgroupTimeTest, Version2) {
  Write("a/b/cpu.stat", "usage_usec 1500\nuser_usec 1000\n");
  Write("a/cpu.stat", "usage_usec 9000\n");
  EXPECT_EQ(Time("0::/a/b\n"), microseconds(1500));
}

TEST_F(CgroupTimeTest, Version2InAContainerSeesTheRootOnly) {
  Write("cpu.stat", "usage_usec 7\n");
  EXPECT_EQ(Time("0::/../../kubepods/pod7\n"), microseconds(7));
}

TEST_F(CgroupTimeTest, Version1UnderEitherName) {
  Write("cpuacct/g/cpuacct.usage", "1234567\n");
  EXPECT_EQ(Time("5:memory:/g\n4:cpu,cpuacct:/g\n"), nanoseconds(1234567));
  EXPECT_EQ(Time("5:cpuacct:/g\n4:cpu:/g\n"), nanoseconds(1234567));
  Write("cpu,cpuacct/g/cpuacct.usage", "7\n");
  EXPECT_EQ(Time("4:cpu,cpuacct:/g\n"), nanoseconds(7));
}

// With both versions mounted, version 2 may have no controllers.
TEST_F(CgroupTimeTest, WhatDoesNotTellIsPassedOver) {
  Write("cpuacct/cpuacct.usage", "5\n");
  EXPECT_EQ(Time("0::/\nnonsense\n2:cpuacct:/\n"), nanoseconds(5));
  Write("cpuacct/cpuacct.usage", "soon\n");
  EXPECT_EQ(Time("0::/\n2:cpuacct:/\n"), std::nullopt);
  EXPECT_EQ(CgroupCpuTime("/nonexistent", "/nonexistent"), std::nullopt);
}

}  // namespace
}  // namespace dovetail
