// The user's door on a toy's plugin: devices, models, requests by name.

#include "dovetail/core/runtime/runtime.h"

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "dovetail/core/base/log.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/graph/structural.h"
#include "dovetail/core/graph/testing/test_ops.h"
#include "dovetail/core/runtime/model_reader.h"
#include "dovetail/core/runtime/testing/toy_plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string MessageOf(const absl::Status& status) {
  return std::string(status.message());
}

// Reads the small model out of any file "*.toy".
class ToyReader : public ModelReader {
 public:
  static inline bool maps = true;  // as it was told last

  absl::string_view name() const override { return "toy (.toy)"; }
  bool CanRead(const std::string& path,
               absl::string_view first_bytes) const override {
    return absl::EndsWith(path, ".toy") ||
           absl::StartsWith(first_bytes, "toy ");
  }
  absl::StatusOr<std::unique_ptr<Model>> Read(
      const std::string&, const ReadSettings& settings) const override {
    maps = settings.map_weights;
    return SmallTestModel().Clone();
  }
  absl::StatusOr<std::unique_ptr<Model>> ReadFromMemory(
      absl::string_view text, const Tensor&,
      const ReadSettings&) const override {
    return std::make_unique<Model>(std::string(text));
  }
  std::vector<std::string> FilesOf(const std::string& path) const override {
    return {path, path + ".weights"};
  }
};
DOVETAIL_REGISTER_MODEL_READER(ToyReader);

class RuntimeTest : public ::testing::Test {
 protected:
  RuntimeTest() : toy_(std::make_shared<Toy>()), core_(&registry_) {
    EXPECT_TRUE(RegisterToy(registry_, toy_).ok());
  }

  CompiledModel Compiled(const PropertyMap& properties = {}) {
    auto compiled = core_.Compile(SmallTestModel(), "TOY", properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *compiled;
  }

  std::shared_ptr<Toy> toy_;
  PluginRegistry registry_;
  Core core_;
};

Tensor Six() {
  return Tensor::FromDoubles(ElementType::kF32, {2, 3}, {1, 2, 3, 4, 5, 6})
      .value();
}

// ---- Devices ----

TEST_F(RuntimeTest, ListsDevicesByNameAndId) {
  EXPECT_THAT(core_.AvailableDevices(), ElementsAre("TOY.0", "TOY.1"));
  EXPECT_THAT(core_.UnavailableDevices(), IsEmpty());
  toy_->devices = std::vector<Device>{{"", "The only toy"}};
  EXPECT_THAT(core_.AvailableDevices(), ElementsAre("TOY"));
}

TEST_F(RuntimeTest, SaysWhyDevicesCannotBeUsed) {
  toy_->devices = absl::UnavailableError("its driver lacks");
  ASSERT_TRUE(registry_
                  .Register("BROKEN",
                            []() -> absl::StatusOr<std::unique_ptr<Plugin>> {
                              return Internal("a spring is missing");
                            })
                  .ok());
  EXPECT_THAT(core_.AvailableDevices(), IsEmpty());
  EXPECT_FALSE(core_.LoadPlugin("/no/such_plugin.so").ok());
  const auto reasons = core_.UnavailableDevices();
  ASSERT_EQ(reasons.size(), 3u);
  EXPECT_THAT(MessageOf(reasons.at("TOY")), HasSubstr("driver lacks"));
  EXPECT_THAT(MessageOf(reasons.at("BROKEN")), HasSubstr("a spring"));
  EXPECT_THAT(MessageOf(reasons.at("/no/such_plugin.so")),
              HasSubstr("/no/such_plugin.so"));
}

TEST_F(RuntimeTest, UnknownDevicesAreToldFromThoseLeftOut) {
  registry_.RegisterLeftOut("GPU", "--//backends:with_gpu=true");
  const Model model = SmallTestModel();
  const auto wrong = core_.Compile(model, "TOI");
  EXPECT_EQ(wrong.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(wrong.status()),
              AllOf(HasSubstr("'TOI'"), HasSubstr("did you mean 'TOY'?")));
  const auto left_out = core_.Compile(model, "GPU.1");
  EXPECT_THAT(
      MessageOf(left_out.status()),
      AllOf(HasSubstr("left out of this build"), HasSubstr("with_gpu=true")));
  const auto no_id = core_.Compile(model, "TOY.7");
  EXPECT_EQ(no_id.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(no_id.status()), HasSubstr("the ids are: 0, 1"));
  EXPECT_EQ(core_.Compile(model, "TOY.").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(RuntimeTest, AnEmptyDeviceIsTheAvailableOneOfHighestPriority) {
  const Model model = SmallTestModel();
  EXPECT_THAT(MessageOf(core_.Compile(model).status()), HasSubstr("TOY"));
  const auto add = [&](const std::string& name, int priority) {
    auto other = std::make_shared<Toy>();
    other->name = name;
    other->priority = priority;
    other->devices = std::vector<Device>{{"", name}};
    EXPECT_TRUE(RegisterToy(registry_, other).ok());
    return other;
  };
  const auto chosen = [&] {
    const auto compiled = core_.Compile(model);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return *compiled->GetProperty("EXECUTION_DEVICES");
  };
  add("PLAIN", 1);
  EXPECT_EQ(chosen(), "PLAIN");
  EXPECT_THAT(MessageOf(core_.Compile(model, "PLAIN.3").status()),
              HasSubstr("there is one PLAIN, which has no id"));
  const auto fast = add("FAST", 2);
  EXPECT_EQ(chosen(), "FAST");
  add("BY_NAME", 0);
  fast->devices = absl::UnavailableError("FAST has no driver");
  EXPECT_EQ(chosen(), "PLAIN");
}

TEST_F(RuntimeTest, ADeviceThatIsNotThereIsRefused) {
  toy_->devices = absl::UnavailableError("the toy is broken");
  const Model model = SmallTestModel();
  for (const absl::Status& status : {core_.Compile(model, "TOY").status(),
                                     core_.Query(model, "TOY").status()}) {
    EXPECT_EQ(status, absl::UnavailableError("the toy is broken"));
  }
}

TEST_F(RuntimeTest, AListOfDevicesIsForDevicesMadeOfOthers) {
  const absl::Status status =
      core_.Compile(SmallTestModel(), "TOY:CPU,GPU").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(status),
              AllOf(HasSubstr("TOY takes no list of devices"),
                    HasSubstr("TOY:CPU,GPU")));
}

TEST_F(RuntimeTest, KeysHaveOlderNames) {
  const CompiledModel compiled = Compiled({{"OLD_NUMBER", "7"}});
  EXPECT_EQ(*compiled.GetProperty("NUMBER"), "7");
  EXPECT_EQ(*compiled.GetProperty("OLD_NUMBER"), "7");
  ASSERT_TRUE(core_.SetProperty("TOY", "OLD_NUMBER", "8").ok());
  EXPECT_EQ(*core_.GetProperty("TOY", "NUMBER"), "8");
  EXPECT_EQ(*core_.GetProperty("TOY", "OLD_NUMBER"), "8");
  // Under both names at a time the nearest layer wins, not a name.
  EXPECT_EQ(*Compiled({{"NUMBER", "9"}}).GetProperty("OLD_NUMBER"), "9");
}

TEST_F(RuntimeTest, SomeKeysOfACompiledModelCanBeChanged) {
  const CompiledModel compiled = Compiled();
  EXPECT_EQ(*compiled.GetProperty("MOOD"), "GOOD");
  ASSERT_TRUE(compiled.SetProperty("MOOD", "bad").ok());
  EXPECT_EQ(*compiled.GetProperty("MOOD"), "BAD");
  EXPECT_EQ(compiled.SetProperty("MOOD", "UGLY").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(compiled.SetProperty("NUMBER", "3").code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(compiled.SetProperty("NUMBR", "3").code(),
            absl::StatusCode::kNotFound);
  EXPECT_THAT(*compiled.GetProperty("SUPPORTED_PROPERTIES"),
              AllOf(HasSubstr("MOOD:RW"), HasSubstr("NUMBER:RO"),
                    HasSubstr("NETWORK_NAME:RO")));
}

TEST_F(RuntimeTest, ReadsModelsFromMemory) {
  const auto model = core_.ReadModelFromMemory("toy text");
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ((*model)->name(), "toy text");
  EXPECT_EQ(core_.ReadModelFromMemory("?").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(RuntimeTest, ContextsAreForDevicesThatShareMemory) {
  EXPECT_EQ(core_.CreateContext("TOY").status().code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_EQ(core_.Compile(SmallTestModel(), std::shared_ptr<RemoteContext>())
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(RuntimeTest, TheLevelOfTheLogIsOfTheProcess) {
  ASSERT_TRUE(core_.SetProperty("", "LOG_LEVEL", "LOG_WARNING").ok());
  EXPECT_EQ(GetLogLevel(), LogLevel::kWarning);
  EXPECT_EQ(*core_.GetProperty("", "LOG_LEVEL"), "LOG_WARNING");
  EXPECT_FALSE(core_.SetProperty("", "LOG_LEVEL", "LOUD").ok());
  ASSERT_TRUE(core_.SetProperty("", "LOG_LEVEL", "LOG_NONE").ok());
}

TEST_F(RuntimeTest, ADeviceGoesByItsOwnNameWhateverItIsCalled) {
  ASSERT_TRUE(registry_.RegisterAlias("PLAYTHING", "TOY").ok());
  const auto compiled = core_.Compile(SmallTestModel(), "PLAYTHING.1");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_EQ(*compiled->GetProperty("EXECUTION_DEVICES"), "TOY.1");
  EXPECT_EQ(*compiled->GetProperty("DEVICE_ID"), "1");
}

TEST_F(RuntimeTest, AnswersMetricsOfDevices) {
  EXPECT_EQ(*core_.GetProperty("TOY", "AVAILABLE_DEVICES"), "0 1");
  EXPECT_EQ(*core_.GetProperty("TOY", "FULL_DEVICE_NAME"),
            "First toy; Second toy");
  EXPECT_EQ(*core_.GetProperty("TOY.1", "FULL_DEVICE_NAME"), "Second toy");
  EXPECT_EQ(*core_.GetProperty("TOY", "DEVICE_ARCHITECTURE"), "wood");
  EXPECT_THAT(*core_.GetProperty("TOY", "SUPPORTED_PROPERTIES"),
              AllOf(HasSubstr("NUMBER:RW"), HasSubstr("FULL_DEVICE_NAME:RO")));
  const auto unknown = core_.GetProperty("TOY", "NUMBR");
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(unknown.status()), HasSubstr("NUMBER"));
}

// ---- From a model to results ----

TEST_F(RuntimeTest, RunsByNameAndByIndex) {
  auto request = Compiled().NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  ASSERT_TRUE(request->SetInput("x", Six()).ok());
  ASSERT_TRUE(request->Infer().ok());
  EXPECT_THAT(ToDoubleVector(*request->Output("out")),
              ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_EQ(request->Output("relu")->raw_data(),
            request->Output(0)->raw_data());
  EXPECT_EQ(request->Input(0)->raw_data(), request->Input("x")->raw_data());

  const Tensor place = Six();
  ASSERT_TRUE(request->SetOutput("out", place).ok());
  bool called = false;
  ASSERT_TRUE(request
                  ->SetCallback(
                      [&](const absl::Status& status) { called = status.ok(); })
                  .ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_TRUE(called);
  EXPECT_EQ(place.ElementAsDouble(5), 12);
}

TEST_F(RuntimeTest, WrongTensorsAreNamed) {
  auto request = Compiled().NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  const auto message = [](const absl::Status& status, absl::StatusCode code) {
    EXPECT_EQ(status.code(), code) << status;
    return MessageOf(status);
  };
  EXPECT_THAT(
      message(request->SetInput("y", Six()), absl::StatusCode::kNotFound),
      AllOf(HasSubstr("no input 'y'"), HasSubstr("inputs are: x")));
  EXPECT_THAT(
      message(request->Output("rely").status(), absl::StatusCode::kNotFound),
      HasSubstr("did you mean"));
  EXPECT_THAT(
      message(request->SetInput(1, Six()), absl::StatusCode::kOutOfRange),
      HasSubstr("no input 1"));
  const Tensor bytes = Tensor::Allocate(ElementType::kU8, {2, 3}).value();
  EXPECT_THAT(message(request->SetInput("x", bytes),
                      absl::StatusCode::kInvalidArgument),
              AllOf(HasSubstr("input 'x' (f32[2,3])"), HasSubstr("u8[2,3]")));
  const Tensor large = Tensor::Allocate(ElementType::kF32, {3, 3}).value();
  EXPECT_THAT(message(request->SetInput("x", large),
                      absl::StatusCode::kInvalidArgument),
              HasSubstr("f32[3,3], whose shape does not fit"));
  EXPECT_THAT(message(request->SetInput("x", Tensor()),
                      absl::StatusCode::kInvalidArgument),
              HasSubstr("has no data"));
}

TEST_F(RuntimeTest, ARequestOutlivesModelAndCore) {
  absl::StatusOr<InferRequest> request = absl::UnknownError("");
  {
    Core core(&registry_);
    request = core.Compile(SmallTestModel(), "TOY")->NewRequest();
  }
  ASSERT_TRUE(request.ok()) << request.status();
  ASSERT_TRUE(request->SetInput(0, Six()).ok());
  EXPECT_TRUE(request->Infer().ok());
}

TEST_F(RuntimeTest, AnswersPropertiesOfCompiledModels) {
  const CompiledModel compiled = Compiled({{"NUMBER", "3"}});
  EXPECT_EQ(*compiled.GetProperty("NETWORK_NAME"), "small");
  EXPECT_EQ(*compiled.GetProperty("EXECUTION_DEVICES"), "TOY");
  EXPECT_EQ(*compiled.GetProperty("LOADED_FROM_CACHE"), "NO");
  EXPECT_EQ(*compiled.GetProperty("OPTIMAL_BATCH_SIZE"), "1");
  EXPECT_EQ(*compiled.GetProperty("NUMBER"), "3");
  const auto unknown = compiled.GetProperty("NUMBAR");
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(unknown.status()), HasSubstr("NUMBER"));
  EXPECT_EQ(compiled.runtime_model(), nullptr);
}

TEST_F(RuntimeTest, CompilesFromFilesThatAReaderKnows) {
  const std::string path = ::testing::TempDir() + "/runtime_test_small.toy";
  std::ofstream(path) << "toy";
  const auto compiled = core_.Compile(path, "TOY");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_EQ(compiled->inputs()[0].name, "x");

  EXPECT_EQ(core_.Compile("/no/such.toy", "TOY").status().code(),
            absl::StatusCode::kNotFound);
  const std::string other = ::testing::TempDir() + "/runtime_test_small.txt";
  std::ofstream(other) << "toy";
  const auto unknown = core_.Compile(other, "TOY");
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(unknown.status()), HasSubstr("toy (.toy)"));
}

TEST_F(RuntimeTest, WhetherWeightsAreMappedIsOfCoreAndOfACall) {
  const std::string path = ::testing::TempDir() + "/runtime_test_mmap.toy";
  std::ofstream(path) << "toy";
  const auto maps = [&](const PropertyMap& call) {
    EXPECT_TRUE(core_.Compile(path, "TOY", call).ok());
    const bool compiling = ToyReader::maps;
    EXPECT_TRUE(core_.ReadModel(path, "", call).ok());
    EXPECT_EQ(ToyReader::maps, compiling);
    return compiling;
  };
  EXPECT_EQ(*core_.GetProperty("", "ENABLE_MMAP"), "YES");
  EXPECT_TRUE(maps({}));
  EXPECT_FALSE(maps({{"ENABLE_MMAP", "false"}}));
  ASSERT_TRUE(core_.SetProperty("", "ENABLE_MMAP", "NO").ok());
  EXPECT_EQ(*core_.GetProperty("", "ENABLE_MMAP"), "NO");
  EXPECT_FALSE(maps({}));
  EXPECT_TRUE(maps({{"ENABLE_MMAP", "YES"}}));
  // Wherever it makes no difference it is still checked.
  const Model model = SmallTestModel();
  EXPECT_TRUE(core_.Compile(model, "TOY", {{"ENABLE_MMAP", "NO"}}).ok());
  EXPECT_EQ(core_.Compile(model, "TOY", {{"ENABLE_MMAP", "2"}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(core_.SetProperty("", "ENABLE_MMAP", "2").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(core_.ReadModel(path, "", {{"NUMBER", "2"}}).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(RuntimeTest, QueryAndCompileSayWhatCannotRun) {
  toy_->refused_type = "Relu";
  const auto result = core_.Query(SmallTestModel(), "TOY");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_FALSE(result->all_supported());
  ASSERT_NE(result->Find("relu"), nullptr);
  EXPECT_THAT(MessageOf(result->Find("relu")->reason),
              HasSubstr("a toy has no Relu"));
  const auto compiled = core_.Compile(SmallTestModel(), "TOY");
  EXPECT_EQ(compiled.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(MessageOf(compiled.status()), HasSubstr("layer 'relu'"));
}

// ---- Properties ----

// The value of NUMBER in a compiled model and where it came from.
std::pair<std::string, PropertyOrigin> NumberOf(const CompiledModel& model) {
  const auto entry = model.config().Find("NUMBER");
  return {entry->value, entry->origin};
}

TEST_F(RuntimeTest, WhatChangedSinceInferenceIsInferredBeforeADeviceSeesIt) {
  auto model = SmallTestModel().Clone();
  Node* const parameter = model->parameters()[0];
  parameter->As<ParameterAttributes>()->shape = PartialShape{4, 5};
  const auto compiled = core_.Compile(*model, "TOY");
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_EQ(compiled->outputs()[0].shape, (PartialShape{4, 5}));
}

TEST_F(RuntimeTest, TheNearestValueWins) {
  Model model = SmallTestModel();
  const auto number = [&](const char* device, const PropertyMap& call = {}) {
    const auto compiled = core_.Compile(model, device, call);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return NumberOf(*compiled);
  };
  EXPECT_THAT(number("TOY"), Pair("2", PropertyOrigin::kDefault));
  ASSERT_EQ(setenv("DOVETAIL_NUMBER", "3", 1), 0);
  EXPECT_THAT(number("TOY"), Pair("3", PropertyOrigin::kEnvironment));
  ASSERT_TRUE(core_.SetProperty("", "NUMBER", "4").ok());
  EXPECT_THAT(number("TOY"), Pair("4", PropertyOrigin::kGlobal));
  ASSERT_TRUE(core_.SetProperty("TOY", "NUMBER", "5").ok());
  EXPECT_THAT(number("TOY.1"), Pair("5", PropertyOrigin::kDevice));
  ASSERT_TRUE(core_.SetProperty("TOY.1", "NUMBER", "6").ok());
  EXPECT_THAT(number("TOY.1"), Pair("6", PropertyOrigin::kDevice));
  EXPECT_THAT(number("TOY"), Pair("5", PropertyOrigin::kDevice));
  model.rt_info().Set({"runtime_options", "NUMBER", "value"}, "7");
  model.rt_info().Set({"runtime_options", "OF_ANOTHER_DEVICE"}, "x");
  EXPECT_THAT(number("TOY.1"), Pair("7", PropertyOrigin::kModel));
  EXPECT_THAT(number("TOY.1", {{"NUMBER", "8"}}),
              Pair("8", PropertyOrigin::kCall));
  ASSERT_EQ(unsetenv("DOVETAIL_NUMBER"), 0);
  EXPECT_EQ(*core_.GetProperty("TOY.1", "NUMBER"), "6");
  EXPECT_EQ(core_.DeviceConfig("TOY")->GetInt("NUMBER"), 5);
}

TEST_F(RuntimeTest, PropertiesOfOneDeviceAreNearerThanThoseOfTheCall) {
  const Model model = SmallTestModel();
  const auto number = [&](const char* device, const PropertyMap& call) {
    const auto compiled = core_.Compile(model, device, call);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return compiled.ok() ? NumberOf(*compiled).first : "";
  };
  const std::string key = "DEVICE_PROPERTIES";
  EXPECT_EQ(number("TOY", {{key, "{TOY:{NUMBER:3}}"}}), "3");
  EXPECT_EQ(number("TOY", {{key, "{TOY:{OLD_NUMBER:3}}"}, {"NUMBER", "4"}}),
            "3");
  EXPECT_EQ(number("TOY", {{key, "{TOY.1:{NUMBER:3}}"}, {"NUMBER", "4"}}), "4");
  const std::string both =
      "{\"TOY.1\":{\"NUMBER\":\"3\"},\"TOY\":{\"NUMBER\":5}}";
  EXPECT_EQ(number("TOY.1", {{key, both}}), "3");
  EXPECT_EQ(number("TOY.0", {{key, both}}), "5");
  EXPECT_EQ(number("TOY", {{key, "{}"}}), "2");

  const auto error = [&](const std::string& text) {
    return core_.Compile(model, "TOY", {{key, text}}).status();
  };
  EXPECT_THAT(MessageOf(error("{TOI:{NUMBER:3}}")),
              AllOf(HasSubstr(key), HasSubstr("TOI"), HasSubstr("TOY")));
  EXPECT_EQ(error("{TOY:{NUMBR:3}}").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(error("{TOY:{NUMBER:300}}").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(error("TOY:3")), HasSubstr("want '{' at character 1"));
}

TEST_F(RuntimeTest, PropertiesOfSeveralDevicesAreSetAtOnceOrNotAtAll) {
  ASSERT_TRUE(core_
                  .SetProperty("", "DEVICE_PROPERTIES",
                               "{TOY:{NUMBER:3},TOY.1:{OLD_NUMBER:4}}")
                  .ok());
  EXPECT_EQ(*core_.GetProperty("TOY", "NUMBER"), "3");
  EXPECT_EQ(*core_.GetProperty("TOY.1", "NUMBER"), "4");
  EXPECT_FALSE(core_
                   .SetProperty("", "DEVICE_PROPERTIES",
                                "{TOY:{NUMBER:5},TOY.1:{NUMBER:500}}")
                   .ok());
  EXPECT_EQ(*core_.GetProperty("TOY", "NUMBER"), "3");
}

// Whichever name they used.
TEST_F(RuntimeTest, WhoSetsAKeyLastIsRight) {
  for (const char* device : {"", "TOY"}) {
    ASSERT_TRUE(core_.SetProperty(device, "NUMBER", "7").ok());
    ASSERT_TRUE(core_.SetProperty(device, "OLD_NUMBER", "8").ok());
    EXPECT_EQ(*core_.GetProperty("TOY", "NUMBER"), "8");
    ASSERT_TRUE(core_.SetProperty(device, "NUMBER", "9").ok());
    EXPECT_EQ(*core_.GetProperty("TOY", "OLD_NUMBER"), "9");
  }
}

TEST_F(RuntimeTest, WrongPropertiesAreNamed) {
  const Model model = SmallTestModel();
  const auto unknown = core_.Compile(model, "TOY", {{"NUMBR", "1"}});
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(
      MessageOf(unknown.status()),
      AllOf(HasSubstr("device TOY"), HasSubstr("NUMBR"), HasSubstr("NUMBER")));
  const auto wrong = core_.Compile(model, "TOY", {{"NUMBER", "100"}});
  EXPECT_EQ(wrong.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(wrong.status()),
              AllOf(HasSubstr("NUMBER"), HasSubstr("100"), HasSubstr("99")));
  EXPECT_EQ(core_.SetProperty("TOY", "FULL_DEVICE_NAME", "x").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(core_.SetProperty("TOI", "NUMBER", "1").code(),
            absl::StatusCode::kNotFound);
  // For all devices, of which none has such a key, or takes such a value.
  const absl::Status global = core_.SetProperty("", "NUMBR", "1");
  EXPECT_EQ(global.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(MessageOf(global), HasSubstr("NUMBER"));
  EXPECT_EQ(core_.SetProperty("", "NUMBER", "100").code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(core_.Compile(model, "TOY").ok());
}

TEST_F(RuntimeTest, PropertiesListsTheKeysOfADevice) {
  const auto schema = core_.Properties("TOY.0");
  ASSERT_TRUE(schema.ok()) << schema.status();
  std::vector<std::string> names;
  for (const PropertySpec& spec : schema->specs()) {
    names.push_back(spec.name);
  }
  EXPECT_THAT(names, Contains("SWITCH"));
}

}  // namespace
}  // namespace dovetail
