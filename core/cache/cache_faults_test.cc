// What may happen to a folder that many processes use: never a wrong answer, a
// crash or something left behind, and the reason is said.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/core/cache/cache_folder.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

// Entries tell which key they are of by every byte.
constexpr int kEntryBytes = 50000;

CacheKey Key(int number) {
  return {absl::StrCat("key ", number), {{"build", "1"}}};
}

std::string ContentOf(int number) {
  return std::string(kEntryBytes, static_cast<char>('a' + number));
}

absl::Status Store(const CacheFolder& cache, int number) {
  const std::string content = ContentOf(number);
  return cache.Store(Key(number), [&](BlobWriter& writer) {
    absl::Status status = writer.BeginSection("model");
    for (absl::string_view left = content; !left.empty() && status.ok();
         left.remove_prefix(std::min<size_t>(700, left.size()))) {
      status = writer.Append(left.substr(0, 700));
    }
    return status.ok() ? writer.EndSection() : status;
  });
}

// Whether the entry is right. What is not there is no mistake; `why` says so.
bool IsRightOrNone(const CacheFolder& cache, int number,
                   absl::Status* why = nullptr) {
  const auto reader = cache.Find(Key(number));
  absl::Status status = reader.status();
  if (reader.ok()) {
    const auto section = reader->Section("model");
    if (section.ok() && section->view() != ContentOf(number)) return false;
    status = section.status();
  }
  if (why != nullptr) *why = status;
  return status.ok() || !status.message().empty();
}

class CacheFaults : public testing::Test {
 protected:
  CacheFaults()
      : path_(testing::TempDir() + "faults_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(path_);
  }

  static std::vector<std::string> Names(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      names.push_back(file.path().filename().string());
    }
    return names;
  }
  static int TemporaryCount(const std::string& folder) {
    int count = 0;
    for (const std::string& name : Names(folder)) {
      count += absl::EndsWith(name, ".tmp");
    }
    return count;
  }

  // A child process that leaves with what `act` answers.
  template <typename Act>
  static pid_t Fork(const Act& act) {
    const pid_t child = fork();
    if (child == 0) _exit(act());
    return child;
  }
  static int ExitCode(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::string path_;
};

TEST_F(CacheFaults, KilledWriters) {
  constexpr int kWriters = 200;
  constexpr int kKeys = 5;
  std::mt19937 random(1);
  int left_behind = 0;
  for (int i = 0; i < kWriters; ++i) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t writer = Fork([&] {
      const CacheFolder cache(path_);
      for (int number = i;; ++number) {
        if (!Store(cache, number % kKeys).ok()) return 1;
        if (number == i && write(ready[1], "", 1) != 1) return 1;
      }
    });
    char byte;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    usleep(random() % 2000);
    kill(writer, SIGKILL);
    ASSERT_EQ(ExitCode(writer), -SIGKILL);
    left_behind += TemporaryCount(path_);
    if (i % 10 != 0) continue;
    const CacheFolder cache(path_);
    EXPECT_EQ(TemporaryCount(path_), 0);
    for (int number = 0; number < kKeys; ++number) {
      EXPECT_TRUE(IsRightOrNone(cache, number));
    }
  }
  // Some died while they were writing, else this would have shown nothing.
  EXPECT_GT(left_behind, 0);
  const CacheFolder cache(path_);
  EXPECT_EQ(Names(path_).size(), size_t{kKeys});
  for (int number = 0; number < kKeys; ++number) {
    absl::Status why;
    EXPECT_TRUE(IsRightOrNone(cache, number, &why));
    EXPECT_TRUE(why.ok()) << why;
  }
}

TEST_F(CacheFaults, FourProcessesUnderALimitOfThreeEntries) {
  constexpr uint64_t kLimit = 3 * (kEntryBytes + 1000);
  std::vector<pid_t> users;
  for (int user = 0; user < 4; ++user) {
    users.push_back(Fork([&, user] {
      std::mt19937 random(user);
      const CacheFolder cache(path_, kLimit);
      for (int round = 0; round < 150; ++round) {
        const int number = random() % 8;
        absl::Status why;
        if (!IsRightOrNone(cache, number, &why)) return 1;
        if (!why.ok() && !absl::IsNotFound(why)) return 2;
        if (!why.ok() && !Store(cache, number).ok()) return 3;
      }
      return 0;
    }));
  }
  for (const pid_t user : users) EXPECT_EQ(ExitCode(user), 0);
  uintmax_t total = 0;
  for (const auto& file : std::filesystem::directory_iterator(path_)) {
    total += file.file_size();
  }
  EXPECT_LE(total, kLimit);
  EXPECT_GT(total, 0u);
  EXPECT_EQ(TemporaryCount(path_), 0);
}

TEST_F(CacheFaults, AWriterThatLivesKeepsItsFile) {
  const CacheFolder cache(path_);
  const absl::Status status = cache.Store(Key(0), [&](BlobWriter& writer) {
    EXPECT_EQ(TemporaryCount(path_), 1);
    const pid_t other = Fork([this] {
      const CacheFolder cleaner(path_);
      return Store(cleaner, 0).ok() && Store(cleaner, 1).ok() ? 0 : 1;
    });
    EXPECT_EQ(ExitCode(other), 0);
    EXPECT_EQ(TemporaryCount(path_), 1);
    return writer.AddSection("model", ContentOf(0));
  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE(IsRightOrNone(cache, 0));
  EXPECT_EQ(Names(path_).size(), 2u);
}

TEST_F(CacheFaults, FilesMayGrowNoLarger) {
  const pid_t child = Fork([this] {
    const struct rlimit limit = {20000, 20000};
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    return absl::IsResourceExhausted(Store(CacheFolder(path_), 0)) ? 0 : 1;
  });
  EXPECT_EQ(ExitCode(child), 0);
  EXPECT_TRUE(Names(path_).empty());
}

TEST_F(CacheFaults, AFullDisk) {
  constexpr int kNoDisk = 77;
  std::filesystem::create_directories(path_);
  const pid_t child = Fork([this] {
    if (unshare(CLONE_NEWNS) != 0 &&
        unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
      return kNoDisk;
    }
    mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
    // Room for one entry and some.
    if (mount("tmpfs", path_.c_str(), "tmpfs", 0, "size=80k") != 0) {
      return kNoDisk;
    }
    const CacheFolder cache(path_);
    absl::Status why;
    if (!Store(cache, 0).ok()) return 1;
    if (!absl::IsResourceExhausted(Store(cache, 1))) return 2;
    if (Names(path_).size() != 1) return 3;
    return IsRightOrNone(cache, 0, &why) && why.ok() ? 0 : 4;
  });
  const int code = ExitCode(child);
  if (code == kNoDisk) GTEST_SKIP() << "no disk can be mounted here";
  EXPECT_EQ(code, 0);
}

TEST_F(CacheFaults, AFolderThatMayOnlyBeRead) {
  char folder[] = "/tmp/dovetail_cache_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  ASSERT_TRUE(Store(CacheFolder(folder), 0).ok());
  chmod(folder, 0555);
  const pid_t child = Fork([&folder] {
    // To somebody who may do everything no folder is read-only.
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) return 1;
    const CacheFolder cache(folder);
    absl::Status why;
    if (!IsRightOrNone(cache, 0, &why) || !why.ok()) return 2;
    const absl::Status status = Store(cache, 1);
    if (!absl::IsUnavailable(status)) return 3;
    return absl::StrContains(status.message(), "denied") ? 0 : 4;
  });
  EXPECT_EQ(ExitCode(child), 0);
  EXPECT_EQ(Names(folder).size(), 1u);
  chmod(folder, 0755);
  std::filesystem::remove_all(folder);
}

TEST_F(CacheFaults, NoFolderAtAll) {
  std::ofstream(path_ + ".file") << "a file";
  const CacheFolder cache(path_ + ".file/cache");
  EXPECT_EQ(Store(cache, 0).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(cache.Find(Key(0)).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(CacheFaults, EachByteFlippedAndEachCut) {
  const CacheFolder cache(path_);
  const auto store = [&] {
    return cache.Store(Key(0), [](BlobWriter& writer) {
      return writer.AddSection("model", "content");
    });
  };
  ASSERT_TRUE(store().ok());
  const std::string path = cache.PathOf(Key(0));
  std::ifstream file(path, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  ASSERT_GT(whole.size(), 100u);
  // What becomes of an entry of these bytes.
  const auto check = [&](const std::string& bytes, size_t at) {
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
    const auto reader = cache.Find(Key(0));
    if (reader.ok()) {
      const auto section = reader->Section("model");
      EXPECT_TRUE(section.ok() ? section->view() == "content"
                               : absl::IsDataLoss(section.status()))
          << at;
      return;
    }
    EXPECT_TRUE(absl::IsDataLoss(reader.status()) ||
                absl::IsFailedPrecondition(reader.status()))
        << at << ": " << reader.status();
    EXPECT_EQ(std::filesystem::exists(path), !absl::IsDataLoss(reader.status()))
        << at;
  };
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    check(damaged, i);
    check(whole.substr(0, i), i);
  }
  ASSERT_TRUE(store().ok());
  EXPECT_EQ(cache.Find(Key(0))->Section("model")->view(), "content");
  EXPECT_EQ(Names(path_).size(), 1u);
}

}  // namespace
}  // namespace dovetail
