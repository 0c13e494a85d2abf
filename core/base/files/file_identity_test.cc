#include "dovetail/core/base/files/file_identity.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::string WriteFile(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

TEST(FileIdentity, StaysWhileTheFileDoes) {
  const std::string path = WriteFile("identity_stays", "abc");
  const auto identity = IdentifyFile(path);
  ASSERT_TRUE(identity.ok()) << identity.status();
  EXPECT_EQ(identity->path, path);
  EXPECT_EQ(identity->size, 3u);
  EXPECT_EQ(identity->ToString(), IdentifyFile(path)->ToString());
}

TEST(FileIdentity, AChangeInPlaceShowsThoughSizeAndTimeAreKept) {
  const std::string path = WriteFile("identity_changes", "abc");
  const auto before = IdentifyFile(path);
  const auto time = std::filesystem::last_write_time(path);
  // The clock of a file system goes in steps of up to 10 ms.
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  WriteFile("identity_changes", "abd");
  std::filesystem::last_write_time(path, time);
  const auto after = IdentifyFile(path);
  EXPECT_EQ(before->size, after->size);
  EXPECT_EQ(before->modified_ns, after->modified_ns);
  EXPECT_NE(before->ToString(), after->ToString());
}

TEST(FileIdentity, WhatHasJustChangedHasNotSettled) {
  const std::string path = WriteFile("identity_settles", "abc");
  // A time to come is no time to go by.
  std::filesystem::last_write_time(
      path,
      std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_FALSE(IdentifyFile(path)->settled);
  std::filesystem::last_write_time(
      path,
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  while (!IdentifyFile(path)->settled) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(FileIdentity, SaysWhatIsNoFile) {
  const std::string none = testing::TempDir() + "identity_none";
  EXPECT_EQ(IdentifyFile(none).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(IdentifyFile(testing::TempDir()).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(IdentifyFile(std::string("a\0b", 3)).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FileError("f", ENOSPC).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(FileError("f", EIO, absl::StatusCode::kUnavailable).code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace dovetail
