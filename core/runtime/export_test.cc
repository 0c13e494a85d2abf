// Exports and the model cache, on a toy's plugin.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/base/files/file_identity.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/runtime/blob_header.h"
#include "dovetail/core/runtime/model_reader.h"
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

// Files "*.counted" whose text is "KEY=VALUE" of the runtime options, or
// anything else for none.
class CountingReader : public ModelReader {
 public:
  static inline int reads = 0;

  absl::string_view name() const override { return "counted (.counted)"; }
  bool CanRead(const std::string& path, absl::string_view) const override {
    return absl::EndsWith(path, ".counted");
  }
  absl::StatusOr<std::unique_ptr<Model>> Read(
      const std::string& path, const ReadSettings&) const override {
    ++reads;
    std::unique_ptr<Model> model = SmallTestModel().Clone();
    std::ifstream file(path);
    std::string key, value;
    if (std::getline(file, key, '=') && std::getline(file, value)) {
      model->rt_info().Set({"runtime_options", key}, value);
    }
    return model;
  }
  absl::StatusOr<std::unique_ptr<Model>> ReadFromMemory(
      absl::string_view, const Tensor&, const ReadSettings&) const override {
    return SmallTestModel().Clone();
  }
  std::vector<std::string> FilesOf(const std::string& path) const override {
    return {path, path + ".weights"};
  }
};
DOVETAIL_REGISTER_MODEL_READER(CountingReader);

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
    if (!compiled.ok()) return false;
    reason_ = *compiled->GetProperty("CACHE_MISS_REASON");
    return *compiled->GetProperty("LOADED_FROM_CACHE") == "YES";
  }

  std::shared_ptr<Toy> toy_;
  PluginRegistry registry_;
  Core core_;
  std::string folder_;
  std::string reason_;  // of the last miss
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
  for (size_t size = 16; size < bytes.size(); ++size) {
    ASSERT_EQ(code(bytes.substr(0, size)), absl::StatusCode::kDataLoss) << size;
  }
  // A changed byte is noticed, or one that nobody reads.
  int refused = 0;
  for (size_t i = 16; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    refused += code(damaged) == absl::StatusCode::kOk ? 0 : 1;
  }
  EXPECT_GT(refused, 100);
}

// A container of a toy's, with another header.
std::string ExportWith(const BlobHeader& header, absl::string_view payload) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  EXPECT_TRUE(WriteBlobHeader(header, writer).ok());
  BlobWriter sections = writer.Nested(kDeviceSections);
  EXPECT_TRUE(sections.AddSection("toy", payload).ok());
  EXPECT_TRUE(writer.Finish().ok());
  return bytes;
}

TEST_F(ExportTest, ExportsOfOthersAreRefused) {
  constexpr absl::string_view kPayload = "a toy's model";
  BlobHeader header;
  header.device = "TOY";
  header.architecture = "wood";
  header.build = BuildOf("");
  const auto message = [&](const BlobHeader& other) {
    const absl::Status status =
        core_.ImportFromString(ExportWith(other, kPayload), "TOY").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    return MessageOf(status);
  };
  const auto sound = core_.ImportFromString(ExportWith(header, kPayload));
  ASSERT_TRUE(sound.ok()) << sound.status();
  BlobHeader other = header;
  other.device = "CPU";
  EXPECT_THAT(message(other), AllOf(HasSubstr("CPU"), HasSubstr("TOY")));
  other = header;
  other.build = "of yesterday";
  EXPECT_THAT(message(other),
              AllOf(HasSubstr("of yesterday"), HasSubstr(BuildOf(""))));
  other = header;
  other.architecture = "iron";
  EXPECT_THAT(message(other), AllOf(HasSubstr("iron"), HasSubstr("wood")));
  // Sound, but the device itself cannot make anything of it.
  EXPECT_EQ(core_.ImportFromString(ExportWith(header, "?")).status().code(),
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
  EXPECT_EQ(CacheFiles().size(), 2u);
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
}

TEST_F(ExportTest, AStaleEntryIsReplacedAndTheReasonSaid) {
  EXPECT_FALSE(FromCache());
  EXPECT_THAT(reason_, HasSubstr("no cache entry"));
  EXPECT_TRUE(FromCache());
  EXPECT_EQ(reason_, "");
  toy_->architecture = "iron";
  EXPECT_FALSE(FromCache());
  EXPECT_THAT(reason_, AllOf(HasSubstr("architecture"), HasSubstr("wood"),
                             HasSubstr("iron")));
  EXPECT_TRUE(FromCache());
  toy_->identity = "another kernel file";
  EXPECT_FALSE(FromCache());
  EXPECT_THAT(reason_, HasSubstr("another kernel file"));
  EXPECT_TRUE(FromCache());
  EXPECT_EQ(CacheFiles().size(), 1u);
}

// Gives a file a time of change that lies back far enough to tell its content.
std::string SettledFile(const std::string& path, absl::string_view text) {
  std::ofstream(path, std::ios::trunc) << text;
  while (!IdentifyFile(path)->settled) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return path;
}

TEST_F(ExportTest, AHitByPathDoesNotReadTheModel) {
  const std::string path = SettledFile(folder_ + "/model.counted", "one");
  const PropertyMap cached = {{"CACHE_DIR", folder_ + "/cache"}};
  const auto from_cache = [&] {
    const auto compiled = core_.Compile(path, "TOY", cached);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *compiled->GetProperty("LOADED_FROM_CACHE");
  };
  const int before = CountingReader::reads;
  EXPECT_EQ(from_cache(), "NO");
  EXPECT_EQ(CountingReader::reads, before + 1);
  EXPECT_EQ(from_cache(), "YES");
  EXPECT_EQ(CountingReader::reads, before + 1);
  // Weights that change, or come, or go, are others.
  SettledFile(path + ".weights", "w");
  EXPECT_EQ(from_cache(), "NO");
  EXPECT_EQ(from_cache(), "YES");
  SettledFile(path + ".weights", "v");
  EXPECT_EQ(from_cache(), "NO");
  SettledFile(path, "two");
  EXPECT_EQ(from_cache(), "NO");
  EXPECT_EQ(CountingReader::reads, before + 4);
}

// What the model's own file chooses is in force whether it is read or not.
TEST_F(ExportTest, AHitByPathHasTheModelsOwnProperties) {
  const std::string path = SettledFile(folder_ + "/model.counted", "NUMBER=7");
  for (const char* cached : {"NO", "YES"}) {
    const auto compiled =
        core_.Compile(path, "TOY", {{"CACHE_DIR", folder_ + "/cache"}});
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    EXPECT_EQ(*compiled->GetProperty("LOADED_FROM_CACHE"), cached);
    EXPECT_EQ(*compiled->GetProperty("NUMBER"), "7");
  }
}

TEST_F(ExportTest, TheFolderStaysWithinItsLimit) {
  EXPECT_FALSE(FromCache());
  const auto size = std::filesystem::file_size(CacheFiles()[0]);
  const std::string limit = std::to_string(2 * size + size / 2);
  for (const char* number : {"3", "4", "5", "6"}) {
    EXPECT_FALSE(FromCache({{"NUMBER", number}, {"CACHE_SIZE_LIMIT", limit}}));
    EXPECT_LE(CacheFiles().size(), 2u);
  }
  EXPECT_TRUE(FromCache({{"NUMBER", "6"}, {"CACHE_SIZE_LIMIT", limit}}));
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
