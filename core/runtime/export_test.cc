// Exports and the model cache, on a toy's plugin.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/runtime/blob_header.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/core/runtime/testing/toy_plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string MessageOf(const absl::Status& status) {
  return std::string(status.message());
}

class ExportTest : public ::testing::Test {
 protected:
  ExportTest() : toy_(std::make_shared<Toy>()), core_(&registry_) {
    EXPECT_TRUE(RegisterToy(registry_, toy_).ok());
    folder_ = ::testing::TempDir() + "/dovetail_export_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ExportTest() override { std::filesystem::remove_all(folder_); }

  std::string Exported(const PropertyMap& properties = {}) {
    const auto compiled = core_.Compile(SmallTestModel(), "TOY", properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    const auto bytes = compiled->ExportToString();
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    return *bytes;
  }

  std::vector<std::string> CacheFiles() const {
    std::vector<std::string> files;
    if (!std::filesystem::exists(folder_ + "/cache")) return files;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_ + "/cache")) {
      files.push_back(entry.path().string());
    }
    return files;
  }

  // Whether compiling with the cache read the model from there.
  bool FromCache(const PropertyMap& more = {}) {
    PropertyMap properties = more;
    properties["CACHE_DIR"] = folder_ + "/cache";
    const auto compiled = core_.Compile(SmallTestModel(), "TOY", properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return compiled.ok() &&
           *compiled->GetProperty("LOADED_FROM_CACHE") == "YES";
  }

  std::shared_ptr<Toy> toy_;
  PluginRegistry registry_;
  Core core_;
  std::string folder_;
};

TEST_F(ExportTest, AnExportIsImportedByTheDeviceThatMadeIt) {
  const auto compiled = core_.Compile(SmallTestModel(), "TOY");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  const std::string path = folder_ + "/model.blob";
  ASSERT_TRUE(compiled->Export(path).ok());
  const auto imported = core_.Import(path);
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(toy_->imported, 1);
  EXPECT_EQ(*imported->GetProperty("NETWORK_NAME"), "small");
  EXPECT_EQ(*imported->GetProperty("LOADED_FROM_CACHE"), "NO");
  EXPECT_EQ(imported->inputs()[0].name, "x");
  EXPECT_TRUE(imported->NewRequest()->Infer().ok());
  EXPECT_TRUE(core_.Import(path, "TOY.1").ok());
}

TEST_F(ExportTest, ChosenPropertiesAreInForceAgain) {
  const std::string bytes = Exported({{"NUMBER", "3"}, {"SWITCH", "YES"}});
  const auto imported = core_.ImportFromString(bytes, "TOY", {{"NUMBER", "4"}});
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(*imported->GetProperty("NUMBER"), "4");
  EXPECT_EQ(*imported->GetProperty("SWITCH"), "YES");
  EXPECT_EQ(*imported->GetProperty("PERF_COUNT"), "NO");
}

TEST_F(ExportTest, DamageIsNoticed) {
  const std::string bytes = Exported();
  const auto code = [&](const std::string& damaged) {
    return core_.ImportFromString(damaged).status().code();
  };
  EXPECT_EQ(code(""), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code("<net/>"), absl::StatusCode::kInvalidArgument);
  for (size_t size = 8; size < bytes.size(); ++size) {
    ASSERT_EQ(code(bytes.substr(0, size)), absl::StatusCode::kDataLoss) << size;
  }
  for (size_t i = 8; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    ASSERT_EQ(code(damaged), absl::StatusCode::kDataLoss) << i;
  }
  EXPECT_EQ(toy_->imported, 0);
}

TEST_F(ExportTest, ExportsOfOthersAreRefused) {
  BlobHeader header;
  header.device = "TOY";
  header.architecture = "wood";
  header.build = CurrentBuild();
  const auto message = [&](const BlobHeader& other) {
    const absl::Status status =
        core_.ImportFromString(WriteBlob(other, "a toy's model"), "TOY")
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    return MessageOf(status);
  };
  ASSERT_TRUE(core_.ImportFromString(WriteBlob(header, "a toy's model")).ok());
  BlobHeader other = header;
  other.device = "CPU";
  EXPECT_THAT(message(other), AllOf(HasSubstr("CPU"), HasSubstr("TOY")));
  other = header;
  other.build = "of yesterday";
  EXPECT_THAT(message(other),
              AllOf(HasSubstr("of yesterday"), HasSubstr(CurrentBuild())));
  other = header;
  other.architecture = "iron";
  EXPECT_THAT(message(other), AllOf(HasSubstr("iron"), HasSubstr("wood")));
  // Sound, but the device itself cannot make anything of it.
  EXPECT_EQ(core_.ImportFromString(WriteBlob(header, "?")).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(ExportTest, FilesThatLackAreNamed) {
  const absl::Status status = core_.Import(folder_ + "/none.blob").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(status), HasSubstr("none.blob"));
  const auto compiled = core_.Compile(SmallTestModel(), "TOY");
  EXPECT_EQ(compiled->Export(folder_ + "/no/folder/x").code(),
            absl::StatusCode::kUnavailable);
  toy_->can_export = false;
  EXPECT_EQ(compiled->Export(folder_ + "/x").code(),
            absl::StatusCode::kUnimplemented);
}

// ---- The cache ----

TEST_F(ExportTest, TheCacheSavesCompilingAgain) {
  EXPECT_FALSE(FromCache());
  EXPECT_EQ(CacheFiles().size(), 1u);
  EXPECT_TRUE(FromCache());
  EXPECT_EQ(toy_->compiled, 1);
  EXPECT_EQ(toy_->imported, 1);
}

TEST_F(ExportTest, WhatDiffersIsCachedApart) {
  EXPECT_FALSE(FromCache());
  EXPECT_FALSE(FromCache({{"NUMBER", "3"}}));
  EXPECT_TRUE(FromCache({{"NUMBER", "3"}}));
  toy_->architecture = "iron";
  EXPECT_FALSE(FromCache());
  EXPECT_EQ(CacheFiles().size(), 3u);
}

TEST_F(ExportTest, ADamagedEntryIsMadeAnew) {
  EXPECT_FALSE(FromCache());
  const std::vector<std::string> files = CacheFiles();
  ASSERT_EQ(files.size(), 1u);
  for (const char* contents : {"", "DVTLBLOB", "something else"}) {
    std::ofstream(files[0], std::ios::trunc) << contents;
    EXPECT_FALSE(FromCache()) << contents;
    EXPECT_TRUE(FromCache()) << contents;
  }
  // Sound, but of another build.
  BlobHeader header;
  header.device = "TOY";
  header.build = "of yesterday";
  std::ofstream(files[0], std::ios::trunc) << WriteBlob(header, "");
  EXPECT_FALSE(FromCache());
  EXPECT_TRUE(FromCache());
}

TEST_F(ExportTest, WithoutAUsableCacheModelsCompileStill) {
  std::ofstream(folder_ + "/cache") << "a file where a folder should be";
  EXPECT_FALSE(FromCache());
  EXPECT_FALSE(FromCache());
  std::filesystem::remove(folder_ + "/cache");
  toy_->can_export = false;
  EXPECT_FALSE(FromCache());
  EXPECT_TRUE(CacheFiles().empty());
  EXPECT_EQ(toy_->compiled, 3);
}

TEST_F(ExportTest, AModelReadFromTheCacheRunsWithItsOwnProperties) {
  PropertyMap properties = {{"CACHE_DIR", folder_ + "/cache"}, {"NUMBER", "5"}};
  for (const char* cached : {"NO", "YES"}) {
    const auto compiled = core_.Compile(SmallTestModel(), "TOY", properties);
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    EXPECT_EQ(*compiled->GetProperty("LOADED_FROM_CACHE"), cached);
    EXPECT_EQ(*compiled->GetProperty("NUMBER"), "5");
    EXPECT_EQ(compiled->config().Find("NUMBER")->origin, PropertyOrigin::kCall);
  }
}

}  // namespace
}  // namespace dovetail
