#include "dovetail/backends/common/opencl/cl_api.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::opencl {
namespace {

using testing::HasSubstr;

// What a variable of the environment was comes back with the test's end.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_.empty()) {
      unsetenv(name_);
    } else {
      setenv(name_, before_.c_str(), 1);
    }
  }

 private:
  const char* name_;
  std::string before_;
};

TEST(ClApiTest, SaysWhatALibraryLacks) {
  const auto api = LoadClApiFrom("libm.so.6");
  EXPECT_EQ(api.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(api.status().message()), HasSubstr("clBuildProgram"));
}

// One test, as a process that has found its library keeps it.
TEST(ClApiTest, SaysWhichLibraryIsNotThereAndLooksAgain) {
  {
    const Variable none("DOVETAIL_OPENCL_LIBRARY", "/nowhere/libOther.so");
    const absl::Status status = LoadClApi().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("/nowhere/libOther.so"));
    EXPECT_THAT(std::string(status.message()), HasSubstr("registered in"));
  }
  if (!LoadClApiFrom("libOpenCL.so.1").ok()) {
    GTEST_SKIP() << "there is no libOpenCL.so.1";
  }
  const auto api = LoadClApi();
  ASSERT_TRUE(api.ok()) << api.status();
  EXPECT_NE((*api)->Finish, nullptr);
  EXPECT_EQ(*LoadClApi(), *api);
}

TEST(ClApiTest, ListsRegisteredDrivers) {
  const std::string folder = testing::TempDir() + "vendors";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const Variable vendors("OCL_ICD_VENDORS", folder);
  EXPECT_THAT(RegisteredDrivers(), HasSubstr("no driver is registered in"));
  std::ofstream(folder + "/two.icd") << "lib2.so";
  std::ofstream(folder + "/one.icd") << "lib1.so";
  std::ofstream(folder + "/readme.txt") << "no driver";
  EXPECT_EQ(RegisteredDrivers(),
            "registered in " + folder + ": one.icd, two.icd");
}

}  // namespace
}  // namespace dovetail::opencl
