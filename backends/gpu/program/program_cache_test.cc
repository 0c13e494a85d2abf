#include "dovetail/backends/gpu/program/program_cache.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "dovetail/backends/gpu/testing/on_device.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

KernelSource Kernel(const std::string& body) {
  return {"__kernel void KERNEL_NAME(__global int* y) { " + body + " }"};
}

class ProgramCacheTest : public OnShim {
 protected:
  ProgramCacheTest()
      : folder_(testing::TempDir() + "programs_" +
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(folder_);
  }

  // Whether the program came from the cache; it is stored if not.
  bool Cached(const ProgramCache& cache, const KernelSource& source,
              const BuildOptions& options = {}) {
    const auto found = cache.FindOrBuild(device_, {{source}}, options);
    EXPECT_TRUE(found.ok()) << found.status();
    if (!found.ok()) return false;
    EXPECT_TRUE(found->program->NewKernel(0).ok());
    if (!found->from_cache) {
      EXPECT_TRUE(cache.Store(*found->program).ok());
    }
    return found->from_cache;
  }

  std::vector<std::filesystem::path> Files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(folder_)) {
      files.push_back(file.path());
    }
    return files;
  }

  std::string folder_;
};

TEST_F(ProgramCacheTest, BuildsOnce) {
  EXPECT_FALSE(Cached(ProgramCache(folder_), Kernel("y[0] = 1;")));
  EXPECT_TRUE(Cached(ProgramCache(folder_), Kernel("y[0] = 1;")));
  EXPECT_EQ(shim_->Calls("clCreateProgramWithSource"), 1);
}

TEST_F(ProgramCacheTest, OtherSourcesAndOptionsAreOthers) {
  const ProgramCache cache(folder_);
  EXPECT_FALSE(Cached(cache, Kernel("y[0] = 1;")));
  EXPECT_FALSE(Cached(cache, Kernel("y[0] = 2;")));
  BuildOptions options;
  options.flags += " -DOTHER";
  EXPECT_FALSE(Cached(cache, Kernel("y[0] = 1;"), options));
  EXPECT_EQ(Files().size(), 3);
}

TEST_F(ProgramCacheTest, WithoutAFolderItBuilds) {
  const ProgramCache cache("");
  EXPECT_FALSE(Cached(cache, Kernel("y[0] = 1;")));
  EXPECT_FALSE(Cached(cache, Kernel("y[0] = 1;")));
}

TEST_F(ProgramCacheTest, AFolderThatCannotBeWrittenIsNoError) {
  std::ofstream(folder_) << "a file where the folder should be";
  const ProgramCache cache(folder_);
  const auto found = cache.FindOrBuild(device_, {{Kernel("y[0] = 1;")}});
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_FALSE(found->from_cache);
  EXPECT_FALSE(cache.Store(*found->program).ok());
}

TEST_F(ProgramCacheTest, DamagedFilesAreBuiltAnew) {
  const ProgramCache cache(folder_);
  const KernelSource source = Kernel("y[0] = 1;");
  EXPECT_FALSE(Cached(cache, source));
  const auto size =
      static_cast<int64_t>(std::filesystem::file_size(Files().at(0)));
  for (const int64_t at : {int64_t{0}, size / 3, size / 2, size - 3}) {
    const std::string path = Files().at(0).string();
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const char before = static_cast<char>(file.get());
    file.seekp(at);
    file.put(static_cast<char>(before ^ 0x55));
    file.close();
    EXPECT_FALSE(Cached(cache, source)) << at;
    EXPECT_TRUE(Cached(cache, source)) << at;
  }
  std::filesystem::resize_file(Files().at(0), size / 2);
  EXPECT_FALSE(Cached(cache, source));
  EXPECT_TRUE(Cached(cache, source));
}

TEST_F(ProgramCacheTest, WhatTheDriverRefusesIsBuiltAnew) {
  const ProgramCache cache(folder_);
  EXPECT_FALSE(Cached(cache, Kernel("y[0] = 1;")));
  shim_->Fail("clCreateProgramWithBinary", 1, CL_INVALID_BINARY);
  EXPECT_FALSE(Cached(cache, Kernel("y[0] = 1;")));
}

TEST_F(ProgramCacheTest, ThreadsUseOneFolder) {
  const ProgramCache cache(folder_);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, &cache] {
      for (int n = 0; n < 5; ++n) Cached(cache, Kernel("y[0] = 1;"));
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(Cached(cache, Kernel("y[0] = 1;")));
  EXPECT_EQ(Files().size(), 1);
}

}  // namespace
}  // namespace dovetail::gpu
