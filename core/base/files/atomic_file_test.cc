#include "dovetail/core/base/files/atomic_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest()
      : folder_(testing::TempDir() + "atomic_" +
                testing::UnitTest::GetInstance()->current_test_info()->name()),
        path_(folder_ + "/file") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      names.push_back(file.path().filename().string());
    }
    return names;
  }

  static std::string Content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::unique_ptr<AtomicFile> Create() {
    auto file = AtomicFile::Create(path_);
    EXPECT_TRUE(file.ok()) << file.status();
    return *std::move(file);
  }

  // What a child process answers that runs `act`.
  template <typename Act>
  static int InAnotherProcess(const Act& act) {
    const pid_t child = fork();
    if (child == 0) _exit(act());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string folder_, path_;
};

const std::vector<std::string> kOnlyFile = {"file"};

TEST_F(AtomicFileTest, HasItsNameWhenItIsWhole) {
  std::ofstream(path_) << "old";
  const std::string large(200000, 'x');
  const auto file = Create();
  ASSERT_TRUE(file->Append("ab").ok());
  ASSERT_TRUE(file->Append(large).ok());
  ASSERT_TRUE(file->Append("c").ok());
  EXPECT_EQ(Content(path_), "old");
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(Content(path_), "ab" + large + "c");
  EXPECT_EQ(Names().size(), 1u);
}

TEST_F(AtomicFileTest, LeavesNothingWithoutCommit) {
  {
    const auto file = Create();
    ASSERT_TRUE(file->Append("ab").ok());
    ASSERT_TRUE(file->Flush().ok());
    EXPECT_EQ(Names().size(), 1u);
  }
  EXPECT_EQ(Names().size(), 0u);
}

TEST_F(AtomicFileTest, ThreadsThatWriteOnePathDoNotDisturbEachOther) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      for (int round = 0; round < 20; ++round) {
        const auto file = Create();
        EXPECT_TRUE(file->Append(std::string(1000, 'a' + i)).ok());
        EXPECT_TRUE(file->Commit(AtomicFile::Durability::kInMemory).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string content = Content(path_);
  ASSERT_EQ(content.size(), 1000u);
  EXPECT_EQ(content, std::string(1000, content[0]));
  EXPECT_EQ(Names(), kOnlyFile);
}

TEST_F(AtomicFileTest, TheNextWriterRemovesWhatAKilledOneLeft) {
  ASSERT_EQ(InAnotherProcess([this] {
              const auto file = Create();
              raise(SIGKILL);
              return 0;
            }),
            -1);
  ASSERT_EQ(Names().size(), 1u);
  const auto living = Create();
  // Neither the living writer's nor files that only look like it.
  std::ofstream(path_ + ".tmp") << "another's";
  std::ofstream(path_ + ".0123456789abcdeg.tmp") << "another's";
  std::ofstream(folder_ + "/other.0123456789abcdef.tmp") << "another's";
  EXPECT_EQ(InAnotherProcess([this] { return Create() == nullptr ? 1 : 0; }),
            0);
  EXPECT_EQ(Names().size(), 4u);
  ASSERT_TRUE(living->Commit().ok());
  RemoveAbandonedFiles(folder_,
                       [](absl::string_view name) { return name == "other"; });
  EXPECT_EQ(Names().size(), 3u);
}

TEST_F(AtomicFileTest, AFullDiskIsSaidAndLeavesTheOldFile) {
  std::ofstream(path_) << "old";
  const auto write = [this] {
    const struct rlimit limit = {100000, 100000};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    const auto file = Create();
    file->Append(std::string(200000, 'x')).IgnoreError();
    return absl::IsResourceExhausted(file->Commit()) ? 0 : 1;
  };
  EXPECT_EQ(InAnotherProcess(write), 0);
  EXPECT_EQ(Content(path_), "old");
  EXPECT_EQ(Names(), kOnlyFile);
}

TEST_F(AtomicFileTest, FollowsLinksAndReplacesFilesOnly) {
  std::filesystem::create_directories(folder_ + "/elsewhere");
  std::ofstream(folder_ + "/elsewhere/target") << "old";
  std::filesystem::create_symlink("elsewhere/target", path_);
  const auto file = Create();
  ASSERT_TRUE(file->Append("new").ok());
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(Content(folder_ + "/elsewhere/target"), "new");

  EXPECT_EQ(AtomicFile::Create("/dev/null").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(AtomicFile::Create(folder_).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(AtomicFile::Create(folder_ + "/none/file").status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(AtomicFile::Create(std::string("a\0b", 3)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace dovetail
