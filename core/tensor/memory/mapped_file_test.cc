#include "dovetail/core/tensor/memory/mapped_file.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "dovetail/core/tensor/tensor.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

std::string WriteFile(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

TEST(MappedFile, ShowsTheBytes) {
  const std::string content =
      std::string("some\0bytes", 10) + std::string(10000, 'x');
  const std::string path = WriteFile("mapped_bytes", content);
  const auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ((*file)->size(), content.size());
  EXPECT_EQ(
      std::string(static_cast<const char*>((*file)->data()), (*file)->size()),
      content);
  EXPECT_EQ(reinterpret_cast<uintptr_t>((*file)->data()) % 4096, 0u);
}

TEST(MappedFile, ForgottenPagesComeBack) {
  const std::string content(100000, 'x');
  const auto file = MappedFile::Open(WriteFile("mapped_forgotten", content));
  ASSERT_TRUE(file.ok()) << file.status();
  const char* const data = static_cast<const char*>((*file)->data());
  MappedFile::ForgetPages(data + 5000, 50000);
  EXPECT_EQ(std::string(data, (*file)->size()), content);
  // Memory that is none of a file's stays as it is.
  std::string own(100000, 'y');
  MappedFile::ForgetPages(own.data(), own.size());
  EXPECT_EQ(own, std::string(100000, 'y'));
  MappedFile::ForgetPages(nullptr, 0);
}

// How often reading the bytes waits for the system to map a page.
int64_t FaultsOfReading(const char* data, size_t size) {
  const auto faults = [] {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  volatile char sink = 0;
  const int64_t before = faults();
  for (size_t at = 0; at < size; at += 4096) sink = data[at];
  (void)sink;
  return faults() - before;
}

// The system may move a page at any time.
constexpr int64_t kFewFaults = 2;

TEST(MappedFile, KeepsPagesWhileSomebodyWantsThem) {
  constexpr size_t kSize = 4 << 20, kKept = 1 << 20;
  const auto file = MappedFile::Open(
      WriteFile("mapped_kept", std::string(kSize, 'x')));
  ASSERT_TRUE(file.ok()) << file.status();
  const char* const data = static_cast<const char*>((*file)->data());
  std::shared_ptr<const void> kept = MappedFile::KeepPages(data, kKept);
  ASSERT_NE(kept, nullptr);
  auto again = MappedFile::KeepPages(data, kKept);
  FaultsOfReading(data, kSize);
  MappedFile::ForgetPages(data, kKept);
  MappedFile::ForgetPages(data + kKept - 1, 2);  // has one of them
  EXPECT_LE(FaultsOfReading(data, kKept), kFewFaults);
  MappedFile::ForgetPages(data + kKept, kSize - kKept);
  EXPECT_GT(FaultsOfReading(data + kKept, kSize - kKept), 0);
  kept.reset();
  MappedFile::ForgetPages(data, kKept);
  EXPECT_LE(FaultsOfReading(data, kKept), kFewFaults);
  again.reset();
  MappedFile::ForgetPages(data, kKept);
  EXPECT_GT(FaultsOfReading(data, kKept), 0);
  // Memory that is none of a file's.
  const std::string own(100, 'y');
  EXPECT_EQ(MappedFile::KeepPages(own.data(), own.size()), nullptr);
  EXPECT_EQ(MappedFile::KeepPages(nullptr, 0), nullptr);
}

TEST(MappedFile, FetchesPages) {
  const std::string content(100000, 'x');
  const auto file = MappedFile::Open(WriteFile("mapped_fetched", content));
  ASSERT_TRUE(file.ok()) << file.status();
  const char* const data = static_cast<const char*>((*file)->data());
  MappedFile::FetchPages(data + 5000, 50000);
  MappedFile::FetchPages(data + 99999, 1);
  EXPECT_EQ(std::string(data, (*file)->size()), content);
  // Beyond the file, and memory that is none of a file's.
  MappedFile::FetchPages(data, content.size() + 1);
  MappedFile::FetchPages(content.data(), content.size());
  MappedFile::FetchPages(nullptr, 0);
}

TEST(MappedFile, TellsWhichBytesOfWhichFile) {
  const std::string path = WriteFile("mapped_range", std::string(5000, 'x'));
  auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  const char* const data = static_cast<const char*>((*file)->data());
  const auto range = MappedFile::RangeOf(data + 70, 300);
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->offset, 70u);
  EXPECT_EQ(range->size, 300u);
  EXPECT_EQ(range->file.ToString(), IdentifyFile(path)->ToString());
  EXPECT_EQ((*file)->identity().size, 5000u);
  EXPECT_TRUE(MappedFile::RangeOf(data, 5000).has_value());
  EXPECT_FALSE(MappedFile::RangeOf(data, 5001).has_value());
  EXPECT_FALSE(MappedFile::RangeOf(data, 0).has_value());
  EXPECT_FALSE(MappedFile::RangeOf(&path, 1).has_value());
  file->reset();
  EXPECT_FALSE(MappedFile::RangeOf(data + 70, 300).has_value());
}

TEST(MappedFile, OutlivesTheName) {
  const std::string path = WriteFile("mapped_removed", "abc");
  const auto file = MappedFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(std::remove(path.c_str()), 0);
  EXPECT_EQ(*static_cast<const char*>((*file)->data()), 'a');
}

TEST(MappedFile, AnEmptyFileIsNoError) {
  const auto file = MappedFile::Open(WriteFile("mapped_empty", ""));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ((*file)->size(), 0u);
  EXPECT_NE((*file)->data(), nullptr);
}

TEST(MappedFile, NamesTheFileThatIsMissing) {
  const std::string plain = WriteFile("mapped_plain", "x");
  for (const std::string& path : {testing::TempDir() + "/no_such_file",
                                  plain + "/below", std::string()}) {
    const auto file = MappedFile::Open(path);
    ASSERT_FALSE(file.ok()) << path;
    EXPECT_EQ(file.status().code(), absl::StatusCode::kNotFound) << path;
    EXPECT_NE(file.status().ToString().find(path), std::string::npos);
  }
}

TEST(MappedFile, TakesRegularFilesOnly) {
  const std::string pipe = testing::TempDir() + "/mapped_pipe";
  std::remove(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path :
       {testing::TempDir(), pipe, std::string("/dev/null"),
        std::string("a\0b", 3)}) {
    EXPECT_EQ(MappedFile::Open(path).status().code(),
              absl::StatusCode::kInvalidArgument)
        << path;
  }
}

TEST(MappedFile, WhatIsReadStaysWhateverBecomesOfTheFile) {
  const std::string path = WriteFile("read_weights", "weights!");
  const auto mapped = MappedFile::Open(path);
  const auto read = MappedFile::Read(path);
  ASSERT_TRUE(mapped.ok() && read.ok()) << read.status();
  ASSERT_EQ((*read)->size(), 8u);
  EXPECT_EQ((*read)->identity().path, (*mapped)->identity().path);
  EXPECT_TRUE(MappedFile::RangeOf((*mapped)->data(), 8).has_value());
  EXPECT_FALSE(MappedFile::RangeOf((*read)->data(), 8).has_value());
  // Written in place: the mapped one may change, the other one cannot.
  std::fstream(path, std::ios::in | std::ios::out) << "changed?";
  MappedFile::ForgetPages((*read)->data(), 8);
  EXPECT_EQ(std::string(static_cast<const char*>((*read)->data()), 8),
            "weights!");
}

TEST(MappedFile, ReadingHasTheErrorsOfMapping) {
  EXPECT_EQ(MappedFile::Read(testing::TempDir() + "/no_such").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(MappedFile::Read(testing::TempDir()).status().code(),
            absl::StatusCode::kInvalidArgument);
  const auto empty = MappedFile::Read(WriteFile("read_empty", ""));
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_EQ((*empty)->size(), 0u);
  EXPECT_NE((*empty)->data(), nullptr);
}

TEST(MappedFile, ATensorKeepsItAlive) {
  auto file = MappedFile::Open(WriteFile("mapped_weights", "weights!"));
  ASSERT_TRUE(file.ok()) << file.status();
  const std::weak_ptr<const MappedFile> watch = *file;
  auto tensor = Tensor::Share(ElementType::kU8, Shape({8}), (*file)->data(),
                              static_cast<int64_t>((*file)->size()), *file);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  file->reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(tensor->data<uint8_t>()[7], '!');
  *tensor = Tensor();
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace dovetail
