#include "dovetail/extensions/custom_kernels/shave/kernel_file.h"

#include <random>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

const ShaveKernelFile kFile = {"f", "kernel void f() {}", "a driver",
                               std::string("\0\1\xff", 3)};

TEST(KernelFileTest, FilesComeBack) {
  const auto read = ReadShaveKernelFile(WriteShaveKernelFile(kFile));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->entry, kFile.entry);
  EXPECT_EQ(read->text, kFile.text);
  EXPECT_EQ(read->compiler, kFile.compiler);
  EXPECT_EQ(read->binary, kFile.binary);
  EXPECT_FALSE(IsShaveKernelFile("kernel void f() {}"));
}

TEST(KernelFileTest, AnyChangeIsSeen) {
  const std::string valid = WriteShaveKernelFile(kFile);
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = valid;
    if (i % 2 == 0) {
      bytes.resize(random() % bytes.size());
    } else {
      bytes[random() % bytes.size()] ^= static_cast<char>(1 + random() % 255);
    }
    const auto read = ReadShaveKernelFile(bytes);
    ASSERT_FALSE(read.ok()) << i;
    EXPECT_FALSE(read.status().message().empty());
  }
}

}  // namespace
}  // namespace dovetail
