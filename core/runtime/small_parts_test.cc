// Names of devices, the container of exports, paths of the cache, readers.

#include <fstream>
#include <memory>
#include <string>

#include "dovetail/core/base/files/byte_sink.h"
#include "dovetail/core/blob/blob_reader.h"
#include "dovetail/core/blob/blob_writer.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/properties/device_properties.h"
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

// ---- The header of exports ----

TEST(DevicePropertiesTest, AreBracesOfBracesOrJson) {
  const std::map<std::string, PropertyMap> expected = {
      {"CPU", {{"A", "1"}, {"B", "two words"}}}, {"GPU.1", {{"C", ""}}}};
  for (const char* text :
       {"{CPU:{A:1,B:two words},GPU.1:{C:}}",
        " { CPU : { A : 1 , B : two words } , GPU.1 : { C : } } ",
        "{\"CPU\": {\"A\": 1, \"B\": \"two words\"}, \"GPU.1\": "
        "{\"C\":\"\"}}"}) {
    const auto devices = ParseDeviceProperties(text);
    ASSERT_TRUE(devices.ok()) << devices.status();
    EXPECT_EQ(*devices, expected) << text;
  }
  EXPECT_TRUE(ParseDeviceProperties("{}")->empty());
  EXPECT_EQ(
      ParseDeviceProperties("{M:{P:{CPU:{A:1,B:[2,3]}}}}")->at("M").at("P"),
      "{CPU:{A:1,B:[2,3]}}");
  EXPECT_EQ(ParseDeviceProperties("{M:{P:\"a\\\"},\\\\b\"}}")->at("M").at("P"),
            "a\"},\\b");
}

TEST(DevicePropertiesTest, WhatIsWrongIsNamed) {
  for (const char* text :
       {"", "{", "{CPU", "{CPU:", "{CPU:{", "{CPU:{A", "{CPU:{A:1",
        "{CPU:{A:1}", "{CPU:{A:1}}x", "{CPU:{:1}}", "{:{A:1}}", "{CPU:{A:1},}",
        "CPU:{A:1}", "{CPU:1}", "{CPU:{A:1,A:2}}", "{CPU:{},CPU:{}}",
        "{CPU:{A:\"1}}", "{CPU:{A:]}}"}) {
    const absl::Status status = ParseDeviceProperties(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(BlobHeaderTest, WhatIsWrittenIsRead) {
  BlobHeader header;
  header.device = "CPU";
  header.architecture = "avx2";
  header.build = BuildOf("p1");
  header.model_name = std::string("a\0\n", 3);
  header.properties = {{"NUM_STREAMS", "2"}, {"EMPTY", ""}};
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  ASSERT_TRUE(WriteBlobHeader(header, writer).ok());
  ASSERT_TRUE(writer.Finish().ok());
  const auto read = ReadBlobHeader(BlobReader::FromBytes(bytes).value());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->device, "CPU");
  EXPECT_EQ(read->architecture, "avx2");
  EXPECT_EQ(read->build, header.build);
  EXPECT_EQ(read->model_name, header.model_name);
  EXPECT_EQ(read->properties, header.properties);
  EXPECT_TRUE(CheckBlobFits(*read, header).ok());
}

TEST(BlobHeaderTest, AnotherContainerIsNoExport) {
  std::string bytes;
  StringSink sink(&bytes);
  BlobWriter writer(&sink);
  ASSERT_TRUE(writer.Finish().ok());
  EXPECT_EQ(
      ReadBlobHeader(BlobReader::FromBytes(bytes).value()).status().code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(BlobHeaderTest, TheBuildTellsCoreAndPlugin) {
  EXPECT_NE(BuildOf("one"), BuildOf("two"));
  EXPECT_THAT(BuildOf("one"), HasSubstr("plugin one"));
}

// ---- Keys of the cache ----

Config ConfigWith(const PropertyMap& call) {
  PropertySchema schema;
  EXPECT_TRUE(schema.Add(TextProperty("CACHE_DIR", "", "x")).ok());
  EXPECT_TRUE(schema.Add(TextProperty("KEY", "", "x")).ok());
  PropertyLayers layers;
  layers.call = call;
  layers.read_environment = false;
  return Config::Resolve(schema, layers).value();
}

CompilationIdentity Identity(const std::string& device,
                             const std::string& architecture) {
  CompilationIdentity identity;
  identity.device = device;
  identity.header.architecture = architecture;
  return identity;
}

TEST(ModelCacheTest, TheKeyDependsOnAllThatMatters) {
  const Model model = SmallTestModel();
  const CompilationIdentity cpu = Identity("CPU", "avx2");
  const std::string text = KeyOfModel(model, ConfigWith({}), cpu).text;
  // The same in a copy, and wherever the folder is.
  EXPECT_EQ(text, KeyOfModel(*model.Clone(),
                             ConfigWith({{"CACHE_DIR", "/cache"}}), cpu)
                      .text);
  EXPECT_NE(text, KeyOfModel(LoopTestModel(), ConfigWith({}), cpu).text);
  EXPECT_NE(text, KeyOfModel(model, ConfigWith({{"KEY", "1"}}), cpu).text);
  EXPECT_NE(text,
            KeyOfModel(model, ConfigWith({}), Identity("CPU.1", "avx2")).text);
  // Another architecture makes the entry stale.
  EXPECT_NE(
      KeyOfModel(model, ConfigWith({}), cpu).conditions,
      KeyOfModel(model, ConfigWith({}), Identity("CPU", "avx512")).conditions);
}

// What only rt_info tells, such as the device of a layer, decides as well.
TEST(ModelCacheTest, TheKeyDependsOnRunTimeInformation) {
  const auto text = [](const Model& model) {
    return KeyOfModel(model, ConfigWith({}), Identity("CPU", "avx2")).text;
  };
  const Model model = SmallTestModel();
  const std::unique_ptr<Model> of_node = model.Clone();
  of_node->nodes()[1]->rt_info().Set({"affinity"}, "GPU");
  const std::unique_ptr<Model> of_model = model.Clone();
  of_model->rt_info().Set({"layout"}, "NC");
  EXPECT_NE(text(model), text(*of_node));
  EXPECT_NE(text(model), text(*of_model));
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
      const std::string&, const ReadSettings& settings) const override {
    if (!works_) return std::unique_ptr<Model>();
    return std::make_unique<Model>(prefix_ + settings.weights_path);
  }
  absl::StatusOr<std::unique_ptr<Model>> ReadFromMemory(
      absl::string_view text, const Tensor&,
      const ReadSettings&) const override {
    return std::make_unique<Model>(std::string(text));
  }
  std::vector<std::string> FilesOf(const std::string& path) const override {
    return {path, path + ".weights"};
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
  const absl::Status none = readers.Read(path, {}).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(none.message()), HasSubstr("//extensions/ir"));

  readers.Add(std::make_unique<PrefixReader>("x", true));
  readers.Add(std::make_unique<PrefixReader>("ab", true));
  readers.Add(std::make_unique<PrefixReader>("abc", true));
  EXPECT_THAT(readers.Names(), ElementsAre("x", "ab", "abc"));
  const auto model = readers.Read(path, {"/weights"});
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ((*model)->name(), "ab/weights");

  const absl::Status unknown = readers.Read(FileWith("q", "q"), {}).status();
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("x, ab, abc"));
  EXPECT_EQ(readers.Read("/no/such/file", {}).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(ModelReadersTest, AReaderMustGiveAModel) {
  ModelReaders readers;
  readers.Add(std::make_unique<PrefixReader>("x", false));
  EXPECT_EQ(readers.Read(FileWith("x", "x"), {}).status().code(),
            absl::StatusCode::kInternal);
}

}  // namespace
}  // namespace dovetail
