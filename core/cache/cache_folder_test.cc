#include "dovetail/core/cache/cache_folder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "dovetail/core/base/files/file_identity.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using std::chrono::milliseconds;

class CacheFolderTest : public testing::Test {
 protected:
  CacheFolderTest()
      : path_(testing::TempDir() + "cache_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(path_);
  }

  static CacheKey Key(const std::string& text) {
    return {text, {{"build", "1.0"}}};
  }

  static CacheFolder::WriteFn Content(const std::string& bytes) {
    return [bytes](BlobWriter& writer) {
      return writer.AddSection("model", bytes);
    };
  }

  // The entry's bytes, or the message of why there are none.
  static std::string Found(const CacheFolder& cache, const CacheKey& key) {
    const auto reader = cache.Find(key);
    if (!reader.ok()) return std::string(reader.status().message());
    const auto section = reader->Section("model");
    return std::string(section.ok() ? section->view()
                                    : section.status().message());
  }

  int FileCount() const {
    int count = 0;
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      count += file.is_regular_file();
    }
    return count;
  }

  std::string path_;
};

bool Says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CacheFolderTest, FindsWhatWasStored) {
  const CacheFolder cache(path_ + "/deep/er");
  EXPECT_EQ(cache.Find(Key("a")).status().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(cache.Store(Key("a"), Content("of a")).ok());
  ASSERT_TRUE(cache.Store(Key("b"), Content("of b")).ok());
  EXPECT_EQ(Found(cache, Key("a")), "of a");
  EXPECT_EQ(Found(CacheFolder(path_ + "/deep/er/"), Key("b")), "of b");
  ASSERT_TRUE(cache.Store(Key("a"), Content("new")).ok());
  EXPECT_EQ(Found(cache, Key("a")), "new");
  cache.Remove(Key("a"));
  EXPECT_TRUE(absl::IsNotFound(cache.Find(Key("a")).status()));
  EXPECT_EQ(Found(cache, Key("b")), "of b");
}

TEST_F(CacheFolderTest, AnEntryOutlivesItsFile) {
  const CacheFolder cache(path_);
  ASSERT_TRUE(cache.Store(Key("a"), Content("of a")).ok());
  const auto reader = cache.Find(Key("a"));
  ASSERT_TRUE(reader.ok()) << reader.status();
  std::filesystem::remove_all(path_);
  EXPECT_EQ(reader->Section("model")->view(), "of a");
}

TEST_F(CacheFolderTest, AStaleEntrySaysWhatHasChangedAndIsReplaced) {
  const CacheFolder cache(path_);
  CacheKey key = Key("a");
  ASSERT_TRUE(cache.Store(key, Content("of 1.0")).ok());
  key.conditions["build"] = "1.1";
  EXPECT_EQ(cache.Find(key).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(Says(Found(cache, key), "stale: build was '1.0', is '1.1'"))
      << Found(cache, key);
  key.conditions["driver"] = "7";
  ASSERT_TRUE(cache.Store(key, Content("of 1.1")).ok());
  EXPECT_EQ(Found(cache, key), "of 1.1");
  EXPECT_TRUE(Says(Found(cache, Key("a")), "stale"));
  key.conditions["kernels"] = "x";
  EXPECT_TRUE(Says(Found(cache, key), "kernels was 'not known', is 'x'"));
  key.conditions = {{"build", "1.1"}};
  EXPECT_TRUE(Says(Found(cache, key), "more than is asked for: driver"));
  EXPECT_EQ(FileCount(), 1);
}

TEST_F(CacheFolderTest, TheWholeKeyIsComparedNotItsHash) {
  const CacheFolder cache(path_);
  ASSERT_TRUE(cache.Store(Key("a"), Content("of a")).ok());
  std::filesystem::copy_file(cache.PathOf(Key("a")), cache.PathOf(Key("b")));
  EXPECT_EQ(cache.Find(Key("b")).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(Says(Found(cache, Key("b")), "another model"));
}

TEST_F(CacheFolderTest, WeightsThatChangedInPlaceAreNoHit) {
  std::filesystem::create_directories(path_);
  const std::string weights = path_ + "/weights.bin";
  std::ofstream(weights) << "0123";
  const auto time = std::filesystem::last_write_time(weights);
  const CacheFolder cache(path_);
  const auto key = [&] {
    return CacheKey{"model.xml",
                    {{"weights", IdentifyFile(weights)->ToString()}}};
  };
  ASSERT_TRUE(cache.Store(key(), Content("of 0123")).ok());
  EXPECT_EQ(Found(cache, key()), "of 0123");
  while (!IdentifyFile(weights)->settled) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  std::ofstream(weights) << "0124";
  std::filesystem::last_write_time(weights, time);
  EXPECT_TRUE(Says(Found(cache, key()), "stale: weights was")) << "in place";
}

TEST_F(CacheFolderTest, WhatWasUsedLongestAgoGoesFirst) {
  const auto age = [this](const CacheFolder& cache, const std::string& text,
                          int seconds) {
    std::filesystem::last_write_time(
        cache.PathOf(Key(text)), std::filesystem::file_time_type::clock::now() -
                                     std::chrono::seconds(seconds));
  };
  const std::string content(10000, 'x');
  const CacheFolder cache(path_, 35000);
  for (const char* text : {"a", "b", "c"}) {
    ASSERT_TRUE(cache.Store(Key(text), Content(content)).ok());
  }
  age(cache, "a", 30);
  age(cache, "b", 20);
  age(cache, "c", 10);
  std::ofstream(path_ + "/a user's.blob") << std::string(100000, 'u');
  EXPECT_EQ(Found(cache, Key("a")), content);  // and so used last
  ASSERT_TRUE(cache.Store(Key("d"), Content(content)).ok());
  EXPECT_TRUE(absl::IsNotFound(cache.Find(Key("b")).status()));
  // The next one takes the place of several.
  age(cache, "d", 40);
  ASSERT_TRUE(cache.Store(Key("e"), Content(std::string(20000, 'y'))).ok());
  EXPECT_TRUE(absl::IsNotFound(cache.Find(Key("d")).status()));
  EXPECT_TRUE(absl::IsNotFound(cache.Find(Key("c")).status()));
  EXPECT_EQ(Found(cache, Key("a")), content);
  EXPECT_EQ(FileCount(), 3);
}

TEST_F(CacheFolderTest, AnEntryOverTheLimitIsNotKept) {
  const CacheFolder cache(path_, 30000);
  ASSERT_TRUE(cache.Store(Key("a"), Content("of a")).ok());
  int pieces = 0;
  const absl::Status status = cache.Store(Key("b"), [&](BlobWriter& writer) {
    absl::Status status = writer.BeginSection("model");
    for (; status.ok() && pieces < 1000; ++pieces) {
      status = writer.Append(std::string(1000, 'x'));
    }
    return status.ok() ? writer.EndSection() : status;
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(Says(std::string(status.message()), "30000 bytes")) << status;
  EXPECT_LE(pieces, 30);  // no more was written than could stay
  EXPECT_EQ(Found(cache, Key("a")), "of a");
  EXPECT_EQ(FileCount(), 1);
}

TEST_F(CacheFolderTest, AWritersErrorIsToldAndLeavesTheOldEntry) {
  const CacheFolder cache(path_);
  ASSERT_TRUE(cache.Store(Key("a"), Content("of a")).ok());
  const absl::Status status = cache.Store(Key("a"), [](BlobWriter& writer) {
    EXPECT_TRUE(writer.AddSection("model", "half").ok());
    return absl::UnimplementedError("this device does not export");
  });
  EXPECT_EQ(status, absl::UnimplementedError("this device does not export"));
  // An error that the writer keeps silent about is one all the same.
  EXPECT_EQ(cache
                .Store(Key("a"),
                       [](BlobWriter& writer) {
                         writer.AddSection("", "no name").IgnoreError();
                         return absl::OkStatus();
                       })
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Found(cache, Key("a")), "of a");
  EXPECT_EQ(FileCount(), 1);
}

}  // namespace
}  // namespace dovetail
