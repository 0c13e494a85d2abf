// Operations of a library on devices: both linked and loaded, in all four ways.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/base/files/file_identity.h"
#include "dovetail/core/plugin/registry/build_id.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/custom_op/one_layer.h"
#include "dovetail/testing/shared_files.h"
#include "extensions/custom_op/testing/test_operations.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

std::string LibraryPath() {
  return RunfilePath("extensions/custom_op/testing/test_operations.so");
}

struct Place {
  std::string device;
  std::string plugin;  // in runfiles; "" for a device that is linked
  bool loaded;         // the extension
};

void PrintTo(const Place& place, std::ostream* out) { *out << place.device; }

std::string NameOf(const ::testing::TestParamInfo<Place>& info) {
  return absl::StrCat(info.param.device.substr(0, info.param.device.find(':')),
                      info.param.plugin.empty() ? "Linked" : "Loaded",
                      info.param.loaded ? "OpsLoaded" : "OpsLinked");
}

class CustomOpTest : public ::testing::TestWithParam<Place> {
 protected:
  CustomOpTest() : core_(MakeCore()) { EXPECT_TRUE(AddTo(core_).ok()); }

  Core MakeCore() {
    if (GetParam().plugin.empty()) return Core();
    Core core(&registry_);
    const absl::Status loaded = core.LoadPlugin(RunfilePath(GetParam().plugin));
    EXPECT_TRUE(loaded.ok()) << loaded;
    return core;
  }
  absl::Status AddTo(Core& core) {
    return GetParam().loaded ? core.AddExtension(LibraryPath())
                             : core.AddExtension(TestOperations());
  }

  absl::StatusOr<CompiledModel> Compile(const std::string& text,
                                        const PropertyMap& properties = {}) {
    const auto model = core_.ReadModelFromMemory(text);
    if (!model.ok()) return model.status();
    PropertyMap all = properties;
    all.emplace("INFERENCE_PRECISION_HINT", "f32");
    return core_.Compile(**model, GetParam().device, all);
  }

  static absl::StatusOr<std::vector<double>> Run(const CompiledModel& compiled,
                                                 std::vector<double> x = {-1, 0,
                                                                          3}) {
    auto request = compiled.NewRequest();
    if (!request.ok()) return request.status();
    const auto input = Tensor::FromDoubles(compiled.inputs()[0].type,
                                           {static_cast<int64_t>(x.size())}, x);
    absl::Status status = request->SetInput(0, *input);
    status.Update(request->Infer());
    if (!status.ok()) return status;
    return ToDoubleVector(*request->Output(0));
  }
  absl::StatusOr<std::vector<double>> RunText(const std::string& text,
                                              std::vector<double> x = {-1, 0,
                                                                       3}) {
    const auto compiled = Compile(text);
    if (!compiled.ok()) return compiled.status();
    return Run(*compiled, x);
  }
  std::string HowTheLayerRuns(const std::string& type) {
    const auto model = core_.ReadModelFromMemory(OneLayer(type, "test"));
    const auto query = core_.Query(**model, GetParam().device);
    EXPECT_TRUE(query.ok()) << query.status();
    if (!query.ok()) return "";
    for (const QueryResult::Layer& layer : query->layers) {
      EXPECT_TRUE(layer.reason.ok()) << layer.reason;
      if (layer.name == "the layer") return layer.how;
    }
    return "there is no such layer";
  }
  // The words of an inference that goes wrong, which it has to in a way that
  // leaves everything in order.
  std::string ErrorOf(const std::string& how) {
    const auto compiled = Compile(
        OneLayer("Misbehave", "test", absl::StrCat("how=\"", how, "\"")));
    if (!compiled.ok()) return std::string(compiled.status().message());
    const auto result = Run(*compiled);
    EXPECT_FALSE(result.ok()) << how;
    EXPECT_EQ(Run(*compiled).status(), result.status());
    return std::string(result.status().message());
  }

  PluginRegistry registry_;
  Core core_;
};

TEST_P(CustomOpTest, RunsEachElementTypeWithAttributes) {
  EXPECT_THAT(RunText(OneLayer("Squash", "test")).value(),
              Pointwise(FloatNear(1e-6), {-0.5, 0.0, 0.75}));
  EXPECT_THAT(RunText(OneLayer("Squash", "test", "scale=\"8\"")).value(),
              Pointwise(FloatNear(1e-6), {-4.0, 0.0, 6.0}));
  EXPECT_THAT(RunText(OneLayer("Squash", "test", "scale=\"8\"", "i32")).value(),
              ElementsAre(-4, 0, 6));
}

TEST_P(CustomOpTest, TakesTheFirstImplementationThatIsUsable) {
  EXPECT_THAT(
      RunText(OneLayer("Squash", "test", "scale=\"1.3\" rounded=\"true\""))
          .value(),
      ElementsAre(-1, 0, 1));
}

TEST_P(CustomOpTest, RunsAFormulaInPlaceOfAKernel) {
  EXPECT_THAT(RunText(OneLayer("Halve", "test")).value(),
              ElementsAre(-0.5, 0, 1.5));
  EXPECT_EQ(HowTheLayerRuns("Halve"), "decomposed");
}

TEST_P(CustomOpTest, AKernelComesBeforeTheFormula) {
  const auto compiled = Compile(OneLayer("Twice", "test"));
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_THAT(Run(*compiled).value(), ElementsAre(-2, 0, 6));
  EXPECT_EQ(HowTheLayerRuns("Twice"), "reference");
}

TEST_P(CustomOpTest, ReplacesTheKernelOfAKnownOperation) {
  EXPECT_THAT(RunText(OneLayer("Gelu", "opset7")).value(),
              ElementsAre(99, 100, 103));
  // One of these types goes by way of the kernel's.
  EXPECT_THAT(RunText(OneLayer("Gelu", "opset7", "", "f16")).value(),
              ElementsAre(99, 100, 103));
  // Another version is another operation.
  EXPECT_THAT(RunText(OneLayer("Gelu", "opset2")).value(),
              Pointwise(FloatNear(1e-3), {-0.1587, 0.0, 2.996}));
}

TEST_P(CustomOpTest, NothingIsCopiedAroundAKernel) {
  const auto compiled = Compile(OneLayer("Where", "test", "", "i64"));
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  auto request = compiled->NewRequest().value();
  const Tensor x = Tensor::Allocate(ElementType::kI64, {3}).value();
  const Tensor y = Tensor::Allocate(ElementType::kI64, {3}).value();
  ASSERT_TRUE(request.SetInput(0, x).ok());
  ASSERT_TRUE(request.SetOutput(0, y).ok());
  ASSERT_TRUE(request.Infer().ok());
  EXPECT_EQ(y.data<int64_t>()[0], reinterpret_cast<intptr_t>(x.address()));
  EXPECT_EQ(y.data<int64_t>()[1], reinterpret_cast<intptr_t>(y.address()));
}

TEST_P(CustomOpTest, FaultsAreErrorsThatNameTheLayer) {
  for (const auto& [how, words] :
       std::vector<std::pair<std::string, std::string>>{
           {"throw", "thrown by Compute"},
           {"throw_int", "no std::exception"},
           {"error", "refused by Compute"},
           {"shape", "f32[5] instead of f32[0..4]"},
           {"unset", "left output 0 unset"},
           {"outputs", "inference gave 2 outputs"},
           {"infer_throw", "thrown by Infer"},
           {"infer_error", "refused by Infer"}}) {
    EXPECT_THAT(ErrorOf(how),
                AllOf(HasSubstr("layer 'the layer'"), HasSubstr(words)));
  }
  EXPECT_EQ(RunText(OneLayer("Misbehave", "test")).value().size(), 3u);
}

TEST_P(CustomOpTest, WrongTypesAreRefusedBeforeAnythingRuns) {
  const auto compiled = Compile(OneLayer("Squash", "test", "", "u8"));
  EXPECT_EQ(compiled.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(compiled.status().message()),
              AllOf(HasSubstr("u8"), HasSubstr("f32 or i32")));
}

TEST_P(CustomOpTest, GoesThroughAnExport) {
  for (const char* type : {"Squash", "Gelu"}) {
    const bool replaced = type == std::string("Gelu");
    const auto compiled = Compile(OneLayer(type, replaced ? "opset7" : "test"));
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    const auto bytes = compiled->ExportToString();
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    const auto imported = core_.ImportFromString(*bytes);
    ASSERT_TRUE(imported.ok()) << imported.status();
    EXPECT_EQ(Run(*imported).value(), Run(*compiled).value());
    // What is imported exports itself again.
    const auto again = imported->ExportToString();
    ASSERT_TRUE(again.ok()) << again.status();

    const Core without = MakeCore();
    for (const std::string& kept : {*bytes, *again}) {
      const absl::Status missing = without.ImportFromString(kept).status();
      EXPECT_EQ(missing.code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_THAT(
          std::string(missing.message()),
          AllOf(HasSubstr("'test_operations'"), HasSubstr("is not there")));
    }
  }
}

TEST_P(CustomOpTest, GoesThroughTheCache) {
  const std::string folder = ::testing::TempDir() + "/custom_op_cache";
  std::filesystem::remove_all(folder);
  const PropertyMap cached = {{"CACHE_DIR", folder}};
  const std::string text = OneLayer("Squash", "test", "scale=\"2\"");
  for (const char* from_cache : {"NO", "YES"}) {
    const auto compiled = Compile(text, cached);
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    EXPECT_EQ(compiled->GetProperty("LOADED_FROM_CACHE").value(), from_cache);
    EXPECT_THAT(Run(*compiled).value(), ElementsAre(-1, 0, 1.5));
  }
  // Whoever has no such extension is not given the entry, and is told why the
  // model itself cannot be had either.
  core_ = MakeCore();
  EXPECT_THAT(std::string(Compile(text, cached).status().message()),
              AllOf(HasSubstr("Squash"), HasSubstr("'test'")));
}

TEST(LoadingTest, RefusesWhatIsNoLibraryOfThisBuild) {
  Core core;
  const auto refusal = [&](const std::string& path, absl::StatusCode code) {
    const absl::Status status = core.AddExtension(path);
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(path));
    return std::string(status.message());
  };
  constexpr absl::StatusCode kFailed = absl::StatusCode::kFailedPrecondition;
  refusal("/nowhere/none.so", absl::StatusCode::kNotFound);
  EXPECT_THAT(refusal(RunfilePath("backends/interpreter/interpreter_plugin.so"),
                      kFailed),
              AllOf(HasSubstr("no Dovetail extension"),
                    HasSubstr("dovetail_op_library")));
  EXPECT_THAT(refusal(RunfilePath("testing/custom_op/wrong_abi.so"), kFailed),
              AllOf(HasSubstr("'0123456789abcdef'"),
                    HasSubstr(std::string(AbiHash()))));
  const std::string text = ::testing::TempDir() + "/text.so";
  std::ofstream(text) << "no library";
  EXPECT_THAT(refusal(text, kFailed), HasSubstr("cannot be loaded"));
  EXPECT_TRUE(core.Extensions().empty());
}

TEST_P(CustomOpTest, TheCacheOfAFileNamesAnExtensionThatIsAbsent) {
  const std::string folder = ::testing::TempDir() + "/custom_op_files";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/model.xml";
  std::ofstream(path) << OneLayer("Squash", "test");
  // A file that has only just changed is not known by its time.
  while (!IdentifyFile(path)->settled) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const PropertyMap cached = {{"CACHE_DIR", folder + "/cache"}};
  for (const char* from_cache : {"NO", "YES"}) {
    const auto compiled = core_.Compile(path, GetParam().device, cached);
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    EXPECT_EQ(compiled->GetProperty("LOADED_FROM_CACHE").value(), from_cache);
  }
  core_ = MakeCore();
  const auto without = core_.Compile(path, GetParam().device, cached);
  EXPECT_THAT(
      std::string(without.status().message()),
      AllOf(HasSubstr("'Squash'"), HasSubstr("extension 'test_operations'")));
}

std::vector<Place> Places() {
  std::vector<Place> places;
  for (const bool loaded : {false, true}) {
    places.push_back({"REFERENCE", "", loaded});
    places.push_back({"CPU", "", loaded});
    places.push_back({"HETERO:CPU,REFERENCE", "", loaded});
    places.push_back(
        {"REFERENCE", "backends/interpreter/interpreter_plugin.so", loaded});
    places.push_back({"CPU", "backends/cpu/cpu_plugin.so", loaded});
  }
  return places;
}

INSTANTIATE_TEST_SUITE_P(Everywhere, CustomOpTest,
                         ::testing::ValuesIn(Places()), NameOf);

}  // namespace
}  // namespace dovetail
