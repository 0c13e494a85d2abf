// Names of devices, the container of exports, paths of the cache, readers.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/runtime/blob_header.h"
#include "dovetail/core/runtime/device_name.h"
#include "dovetail/core/runtime/model_cache.h"
#include "dovetail/core/runtime/model_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// ---- Names of devices ----

TEST(DeviceNameTest, HasAKindAndAnIdOrPriorities) {
  const auto plain = ParseDeviceName("CPU").value();
  EXPECT_EQ(plain.kind, "CPU");
  EXPECT_EQ(plain.id, "");
  EXPECT_EQ(plain.priorities, "");
  const auto second = ParseDeviceName("GPU.1").value();
  EXPECT_EQ(second.kind, "GPU");
  EXPECT_EQ(second.id, "1");
  const auto multi = ParseDeviceName("MULTI:CPU,GPU.1").value();
  EXPECT_EQ(multi.kind, "MULTI");
  EXPECT_EQ(multi.id, "");
  EXPECT_EQ(multi.priorities, "CPU,GPU.1");
}

TEST(DeviceNameTest, NothingMayLack) {
  for (const char* name : {"", ".", ":", ".1", ":CPU", "GPU.", "MULTI:"}) {
    EXPECT_EQ(ParseDeviceName(name).status().code(),
              absl::StatusCode::kInvalidArgument)
        << name;
  }
}

// ---- The container of exports ----

TEST(BlobHeaderTest, WhatIsWrittenIsRead) {
  BlobHeader header;
  header.device = "CPU";
  header.architecture = "avx2";
  header.build = CurrentBuild();
  header.model_name = std::string("a\0\n", 3);
  header.properties = {{"NUM_STREAMS", "2"}, {"EMPTY", ""}};
  const std::string payload("\0\xff payload", 10);
  const std::string bytes = WriteBlob(header, payload);
  const auto blob = ReadBlob(bytes);
  ASSERT_TRUE(blob.ok()) << blob.status();
  EXPECT_EQ(blob->header.device, "CPU");
  EXPECT_EQ(blob->header.architecture, "avx2");
  EXPECT_EQ(blob->header.build, CurrentBuild());
  EXPECT_EQ(blob->header.model_name, header.model_name);
  EXPECT_EQ(blob->header.properties, header.properties);
  EXPECT_EQ(std::string(blob->payload), payload);
  EXPECT_TRUE(CheckBlobFits(blob->header, "CPU", "avx2").ok());
}

TEST(BlobHeaderTest, BytesBehindTheEndAreDamage) {
  const std::string bytes = WriteBlob(BlobHeader(), "x");
  EXPECT_TRUE(ReadBlob(bytes).ok());
  EXPECT_EQ(ReadBlob(bytes + "y").status().code(), absl::StatusCode::kDataLoss);
}

// ---- The cache ----

Config ConfigWith(const PropertyMap& call) {
  PropertySchema schema;
  EXPECT_TRUE(schema.Add(TextProperty("CACHE_DIR", "", "x")).ok());
  EXPECT_TRUE(schema.Add(TextProperty("KEY", "", "x")).ok());
  PropertyLayers layers;
  layers.call = call;
  layers.read_environment = false;
  return Config::Resolve(schema, layers).value();
}

TEST(ModelCacheTest, ThePathDependsOnAllThatMatters) {
  const Model model = SmallTestModel();
  const std::string path =
      CachePath("/cache", model, ConfigWith({}), "CPU", "avx2");
  EXPECT_THAT(path, ::testing::StartsWith("/cache/"));
  // The same in a copy, and wherever the folder is.
  EXPECT_EQ(path,
            CachePath("/cache", *model.Clone(),
                      ConfigWith({{"CACHE_DIR", "/cache"}}), "CPU", "avx2"));
  EXPECT_NE(path, CachePath("/cache", LoopTestModel(), ConfigWith({}), "CPU",
                            "avx2"));
  EXPECT_NE(path, CachePath("/cache", model, ConfigWith({{"KEY", "1"}}), "CPU",
                            "avx2"));
  EXPECT_NE(path, CachePath("/cache", model, ConfigWith({}), "CPU.1", "avx2"));
  EXPECT_NE(path, CachePath("/cache", model, ConfigWith({}), "CPU", "avx512"));
}

TEST(ModelCacheTest, StoringMakesTheFolder) {
  const std::string folder = ::testing::TempDir() + "/dovetail_cache_test";
  std::filesystem::remove_all(folder);
  const std::string path = folder + "/a/b/model.blob";
  ASSERT_TRUE(StoreInCache(path, "one").ok());
  ASSERT_TRUE(StoreInCache(path, "two").ok());
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "two");
  // Nothing else is left behind.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder + "/a/b"),
                          std::filesystem::directory_iterator()),
            1);
  EXPECT_FALSE(StoreInCache(path + "/below/a/file", "x").ok());
  std::filesystem::remove_all(folder);
}

// ---- Readers of files ----

class PrefixReader : public ModelReader {
 public:
  PrefixReader(std::string prefix, bool works)
      : prefix_(std::move(prefix)), works_(works) {}
  absl::string_view name() const override { return prefix_; }
  bool CanRead(const std::string&,
               absl::string_view first_bytes) const override {
    return first_bytes.substr(0, prefix_.size()) == prefix_;
  }
  absl::StatusOr<std::unique_ptr<Model>> Read(
      const std::string&, const std::string& weights_path) const override {
    if (!works_) return std::unique_ptr<Model>();
    return std::make_unique<Model>(prefix_ + weights_path);
  }

 private:
  const std::string prefix_;
  const bool works_;
};

std::string FileWith(const std::string& name, const std::string& contents) {
  const std::string path = ::testing::TempDir() + "/readers_" + name;
  std::ofstream(path) << contents;
  return path;
}

TEST(ModelReadersTest, TheFirstThatKnowsTheFileReadsIt) {
  ModelReaders readers;
  const std::string path = FileWith("ab", "abc");
  const absl::Status none = readers.Read(path, "").status();
  EXPECT_EQ(none.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(none.message()), HasSubstr("//extensions/ir"));

  readers.Add(std::make_unique<PrefixReader>("x", true));
  readers.Add(std::make_unique<PrefixReader>("ab", true));
  readers.Add(std::make_unique<PrefixReader>("abc", true));
  EXPECT_THAT(readers.Names(), ElementsAre("x", "ab", "abc"));
  const auto model = readers.Read(path, "/weights");
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ((*model)->name(), "ab/weights");

  const absl::Status unknown = readers.Read(FileWith("q", "q"), "").status();
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("x, ab, abc"));
  EXPECT_EQ(readers.Read("/no/such/file", "").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(ModelReadersTest, AReaderMustGiveAModel) {
  ModelReaders readers;
  readers.Add(std::make_unique<PrefixReader>("x", false));
  EXPECT_EQ(readers.Read(FileWith("x", "x"), "").status().code(),
            absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace dovetail
