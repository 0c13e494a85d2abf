// A folder that stands for those in which the system tells of the machine.
#ifndef DOVETAIL_CORE_EXECUTOR_CPUS_TESTING_SYSTEM_FILES_H_
#define DOVETAIL_CORE_EXECUTOR_CPUS_TESTING_SYSTEM_FILES_H_

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace dovetail {

// Each test has one of its own.
class SystemFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = testing::TempDir() + "/" + test->test_suite_name() + "_" +
            test->name();
    std::filesystem::create_directories(root_);
  }
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + "/" + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  std::string root_;
};

}  // namespace dovetail

#endif  // DOVETAIL_CORE_EXECUTOR_CPUS_TESTING_SYSTEM_FILES_H_
