// Export, import and the cache of compiled models; or, of a device that has no
// export, that it says so.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/core/plugin/testing/export_bytes.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/runtime/device_name.h"
#include "dovetail/testing/backend/device_test.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

class ExportTest : public DeviceTest {
 protected:
  void ExpectRuns(const CompiledModel& model) const {
    InferRequest request = model.NewRequest().value();
    ASSERT_TRUE(request.SetInput("x", ChainInput()).ok());
    ASSERT_TRUE(request.Infer().ok());
    EXPECT_TRUE(Gives(request.Output("y"), ChainOutput()));
  }
};

TEST_F(ExportTest, ADeviceWithoutItSaysSo) {
  if (exports()) GTEST_SKIP() << device() << " exports";
  EXPECT_EQ(Compile(ChainModel()).ExportToString().status().code(),
            absl::StatusCode::kUnimplemented);
}

TEST_F(ExportTest, AnImportIsTheSameModel) {
  if (!exports()) GTEST_SKIP() << device() << " does not export";
  const CompiledModel model = Compile(ChainModel());
  const auto bytes = model.ExportToString();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  for (const std::string& by : {device(), std::string()}) {
    const auto again = core_.ImportFromString(*bytes, by);
    ASSERT_TRUE(again.ok()) << again.status();
    ExpectRuns(*again);
    EXPECT_EQ(again->inputs()[0].names, model.inputs()[0].names);
    EXPECT_EQ(again->outputs()[0].names, model.outputs()[0].names);
    EXPECT_EQ(again->GetProperty(properties::kNetworkName).value(), "chain");
    EXPECT_EQ(again->ExportToString().value(), *bytes);
  }
}

TEST_F(ExportTest, StateAndDynamicShapesComeThrough) {
  if (!exports()) GTEST_SKIP() << device() << " does not export";
  for (const Model& model : {CounterModel(), DynamicModel()}) {
    DOVETAIL_SKIP_UNLESS_SUPPORTED(model);
    const auto again =
        core_.ImportFromString(Compile(model).ExportToString().value());
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->inputs()[0].shape, model.parameters()[0]->port().shape);
    EXPECT_EQ(again->NewRequest()->Variables()->size(),
              Compile(model).NewRequest()->Variables()->size());
  }
}

TEST_F(ExportTest, ChosenPropertiesAreInForceAgain) {
  const std::string key(properties::kPerfCount);
  if (!exports() || !HasProperty(key)) {
    GTEST_SKIP() << device() << " does not export or has no " << key;
  }
  const std::string bytes =
      Compile(ChainModel(), {{key, "YES"}}).ExportToString().value();
  EXPECT_EQ(core_.ImportFromString(bytes)->GetProperty(key).value(), "YES");
  EXPECT_EQ(core_.ImportFromString(bytes, "", {{key, "NO"}})
                ->GetProperty(key)
                .value(),
            "NO");
  EXPECT_EQ(core_.ImportFromString(bytes, "", {{"NO_SUCH_KEY", "NO"}})
                .status()
                .code(),
            absl::StatusCode::kNotFound);
}

TEST_F(ExportTest, DamagedBytesAreRefusedOrDoNotMatter) {
  if (!exports()) GTEST_SKIP() << device() << " does not export";
  const std::string bytes = Compile(ChainModel()).ExportToString().value();
  for (size_t size = 0; size < bytes.size(); size += 1 + size / 16) {
    EXPECT_FALSE(core_.ImportFromString(bytes.substr(0, size), device()).ok());
  }
  for (size_t i = 0; i < bytes.size(); i += 1 + i / 16) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    const auto imported = core_.ImportFromString(flipped, device());
    if (!imported.ok()) continue;
    SCOPED_TRACE(absl::StrCat("byte ", i));
    ExpectRuns(*imported);  // it stands between two sections
  }
}

// A device must not trust bytes because they came through the checksum.
TEST_F(ExportTest, TheDeviceItselfRefusesDamagedBytes) {
  const CompiledModel compiled = Compile(ChainModel());
  const auto exported = ExportedSections(*compiled.executable());
  if (!exports()) {
    EXPECT_EQ(exported.status().code(), absl::StatusCode::kUnimplemented);
    return;
  }
  ASSERT_TRUE(exported.ok()) << exported.status();
  if (has_parts()) GTEST_SKIP() << "parts need a Core to be imported";
  const DeviceName name = ParseDeviceName(device()).value();
  const Plugin* plugin = PluginRegistry::Global().Get(name.kind).value();
  const StandaloneCall call(core_.DeviceConfig(device()).value());
  const auto import = [&](const ExportSections& sections) {
    const BlobReader blob = ContainerOf(sections);
    return plugin->Import(call.Importing(blob));
  };
  ASSERT_TRUE(import(*exported).ok());
  const std::string bytes = exported->at("lowered");
  ExportSections damaged = *exported;
  for (size_t size = 0; size < bytes.size(); ++size) {
    damaged["lowered"] = bytes.substr(0, size);
    const auto status = import(damaged).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << size << status;
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int bit : {0x01, 0x80}) {
      damaged["lowered"] = bytes;
      damaged["lowered"][i] = static_cast<char>(bytes[i] ^ bit);
      // Some changes give another model that is well-formed. None may harm.
      const auto imported = import(damaged);
      if (imported.ok()) {
        EXPECT_TRUE((*imported)->NewContext().ok());
      }
    }
  }
}

TEST_F(ExportTest, TheCacheKeepsModels) {
  const std::string key(properties::kCacheDir);
  if (!exports() || !HasProperty(key)) {
    GTEST_SKIP() << device() << " does not export or has no " << key;
  }
  const char* const temporary = std::getenv("TEST_TMPDIR");
  const std::string folder = absl::StrCat(
      temporary != nullptr ? temporary : testing::TempDir(), "/cache");
  std::filesystem::remove_all(folder);
  const auto from_cache = [&](const Model& model) {
    const CompiledModel compiled = Compile(model, {{key, folder}});
    return compiled.GetProperty(properties::kLoadedFromCache).value();
  };
  EXPECT_EQ(from_cache(ChainModel()), "NO");
  EXPECT_EQ(from_cache(ChainModel()), "YES");
  EXPECT_EQ(from_cache(TwoByTwoModel()), "NO");
  ExpectRuns(Compile(ChainModel(), {{key, folder}}));
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ofstream(file.path(), std::ios::trunc) << "damaged";
  }
  EXPECT_EQ(from_cache(ChainModel()), "NO");
  EXPECT_EQ(from_cache(ChainModel()), "YES");
}

}  // namespace
}  // namespace dovetail
