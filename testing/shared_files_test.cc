#include "dovetail/testing/shared_files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Gives DOVETAIL_SHARED a value, and back the one it had.
class ScopedShared {
 public:
  explicit ScopedShared(const std::string& value) {
    if (const char* old = std::getenv(kName)) old_ = old;
    setenv(kName, value.c_str(), /*overwrite=*/1);
  }
  ~ScopedShared() {
    if (old_.has_value()) {
      setenv(kName, old_->c_str(), 1);
    } else {
      unsetenv(kName);
    }
  }

 private:
  static constexpr char kName[] = "DOVETAIL_SHARED";
  std::optional<std::string> old_;
};

TEST(SharedFilesTest, FindsRunfiles) {
  std::ifstream file(RunfilePath("testing/shared_files_test.cc"));
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_EQ(line, "#include \"dovetail/testing/shared_files.h\"");
}

TEST(SharedFilesTest, EnvironmentNamesTheFolder) {
  const std::string dir = testing::TempDir() + "/shared_files_test";
  std::filesystem::create_directories(dir + "/models");
  const ScopedShared shared(dir);
  EXPECT_EQ(SharedDir(), dir);
  EXPECT_EQ(SharedPath("models"), dir + "/models");
  EXPECT_EQ(SharedPath("no such thing"), std::nullopt);
}

TEST(SharedFilesTest, NoSuchFolderIsNone) {
  const ScopedShared shared("/no/such/folder");
  EXPECT_EQ(SharedDir(), std::nullopt);
  EXPECT_EQ(SharedPath("models"), std::nullopt);
}

TEST(SharedFilesTest, FolderBesideTheProjectIsFound) {
  const ScopedShared shared("");
  const auto root =
      std::filesystem::canonical(RunfilePath("WORKSPACE")).parent_path();
  const std::string beside = root.parent_path() / "shared";
  if (std::filesystem::is_directory(beside)) {
    EXPECT_EQ(SharedDir(), beside);
  } else {
    EXPECT_EQ(SharedDir(), std::nullopt);
  }
}

TEST(SharedFilesTest, SkipsWithTheReason) {
  const ScopedShared shared("/no/such/folder");
  DOVETAIL_SHARED_PATH_OR_SKIP(path, "models");
  FAIL() << "not skipped, but given " << path;
}

}  // namespace
}  // namespace dovetail
