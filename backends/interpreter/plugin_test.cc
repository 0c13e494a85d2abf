// What the interpreter says of itself and of models: properties, query, errors,
// profiles, the model that runs; and that it works as a shared plugin.

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "dovetail/backends/interpreter/testing/compile.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/plugin/query.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/properties/standard_properties.h"
#include "dovetail/core/runtime/runtime.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kSmall[] = R"(
  %x = Parameter-0() {shape: [2], element_type: f32}  # x
  %one = Constant-0() {value: f32[] {1}}  # one
  %two = Constant-0() {value: f32[] {2}}  # two
  %three = Add-1(%one, %two) {}  # three
  %sum = Add-1(%x, %three) {}  # sum
  %relu = Relu-0(%sum) {}  # relu
  %out = Result-0(%relu) {}  # out
)";

TEST(InterpreterPluginTest, EveryPropertyIsDescribed) {
  for (const PropertySpec& spec : Interpreter().properties().specs()) {
    EXPECT_NE(spec.description, "") << spec.name;
    EXPECT_NE(spec.type, "") << spec.name;
  }
  const Config config = ConfigOf();
  EXPECT_EQ(config.GetString(properties::kInferencePrecisionHint), "f32");
  EXPECT_EQ(config.GetString(properties::kNumStreams), "AUTO");
}

TEST(InterpreterPluginTest, EveryMetricHasAValue) {
  const PluginRegistry registry;
  for (const PropertySpec& spec : Interpreter().properties().specs()) {
    const bool cores = spec.name == properties::kSupportedProperties ||
                       spec.name == properties::kAvailableDevices ||
                       spec.name == properties::kFullDeviceName ||
                       spec.name == properties::kNativeOperations ||
                       spec.name == properties::kDecomposedOperations;
    if (spec.mutability != Mutability::kReadOnly || cores) continue;
    const auto value = Interpreter().GetMetric(spec.name, CallOf());
    ASSERT_TRUE(value.ok()) << spec.name << value.status();
    EXPECT_NE(*value, "") << spec.name;
  }
  // It has the plain kernels and no others.
  EXPECT_EQ(*Interpreter().GetMetric(properties::kNativeOperations, CallOf()),
            "");
  EXPECT_EQ(
      *Interpreter().GetMetric(properties::kDecomposedOperations, CallOf()),
      "");
  const auto operations =
      Interpreter().GetMetric(properties::kReferenceOperations, CallOf());
  EXPECT_THAT(*operations, testing::HasSubstr(" Softmax-1 Softmax-8 "));
  EXPECT_EQ(Interpreter().GetMetric("NO_METRIC", CallOf()).status().code(),
            absl::StatusCode::kNotFound);
}

// ---- What it runs and does not ----

// Relu "sum" -> an operation of somebody's own, "fancy" -> out.
Model ModelWithCustomOperation() {
  static const OpInfo* const custom = [] {
    auto* op = new OpInfo(*FindOp("Relu", 0));
    op->type = "Fancy";
    op->custom_opset = "mine";
    return op;
  }();
  Model model = std::move(*ParseModel(R"(
    %x = Parameter-0() {shape: [2], element_type: f32}  # x
    %sum = Relu-0(%x) {}  # sum
  )"));
  Node* fancy =
      model.Add(*custom, {model.FindNode("sum")->output()}, nullptr, "fancy")
          .value();
  EXPECT_TRUE(
      model.Add(*FindOp("Result", 0), {fancy->output()}, nullptr, "out").ok());
  return model;
}

TEST(InterpreterPluginTest, CompilingNamesWhatCannotRun) {
  const auto compiled =
      Interpreter().Compile(ModelWithCustomOperation().Clone(), CallOf());
  EXPECT_EQ(compiled.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(compiled.status().message()),
              AllOf(HasSubstr("layer 'fancy' (Fancy-0)"),
                    HasSubstr("there is no reference kernel")));
}

TEST(InterpreterPluginTest, QueryGivesAReasonForEveryNo) {
  const auto result =
      Interpreter().Query(ModelWithCustomOperation(), CallOf());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->Find("sum")->device, "REFERENCE");
  EXPECT_EQ(result->Find("fancy")->device, "");
  EXPECT_THAT(std::string(result->Find("fancy")->reason.message()),
              HasSubstr("no reference kernel"));
}

TEST(InterpreterPluginTest, QueryCountsFoldedLayersAsSupported) {
  const auto result =
      Interpreter().Query(*ParseModel(kSmall), CallOf());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->all_supported());
  EXPECT_EQ(result->Find("three")->device, "REFERENCE");
}

TEST(InterpreterPluginTest, UnsoundModelsAreRefused) {
  EXPECT_FALSE(Interpreter().Compile(nullptr, CallOf()).ok());
  auto model = ParseModel(kSmall);
  model->FindNode("out")->SetInput(0, Value());
  const auto compiled = Interpreter().Compile(std::move(model), CallOf());
  EXPECT_THAT(std::string(compiled.status().message()),
              HasSubstr("layer 'out'"));
}

TEST(InterpreterPluginTest, AnEmptyModelRuns) {
  const auto request = RequestFor("");
  ASSERT_NE(request, nullptr);
  EXPECT_TRUE(request->Infer().ok());
}

// ---- What runs ----

TEST(InterpreterPluginTest, TheRuntimeModelIsTheOneAfterAllPasses) {
  const auto executable = CompileText(kSmall).value();
  const Model* model = executable->runtime_model();
  ASSERT_NE(model, nullptr);
  EXPECT_NE(model->FindNode("sum"), nullptr);
  for (const auto& node : model->nodes()) {
    EXPECT_FALSE(node->name() == "three" && node->Is("Add"));
  }
}

TEST(InterpreterPluginTest, ProfilesEveryLayer) {
  const auto request = RequestFor(kSmall, {{"PERF_COUNT", "YES"}});
  ASSERT_NE(request, nullptr);
  RunOn(*request, Floats({2}, {1, -9}));
  const auto records = request->Profiling();
  ASSERT_TRUE(records.ok());
  std::vector<std::string> executed;
  for (const ProfilingRecord& record : *records) {
    EXPECT_GE(record.duration_ns, 0);
    if (record.status != ProfilingRecord::Status::kExecuted ||
        record.kind == ProfilingRecord::Kind::kStage) {
      continue;
    }
    executed.push_back(record.name + " " + record.type + " " + record.kernel);
    EXPECT_GE(record.duration_ns, 0);
    EXPECT_GE(record.cpu_ns, 0);
  }
  EXPECT_THAT(executed,
              ElementsAre("sum Add reference_f32", "relu Relu reference_f32"));
}

TEST(InterpreterPluginTest, ProfilesNothingUnlessAskedTo) {
  const auto request = RequestFor(kSmall);
  ASSERT_NE(request, nullptr);
  RunOn(*request, Floats({2}, {1, 2}));
  EXPECT_TRUE(request->Profiling()->empty());
}

TEST(InterpreterPluginTest, PrintsPasses) {
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(CompileText(kSmall, {{"PRINT_PASSES", "dead-code"}}).ok());
  const std::string one = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(one, HasSubstr("pass dead-code"));
  EXPECT_EQ(one.find("pass constant-folding"), std::string::npos);
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(CompileText(kSmall, {{"PRINT_PASSES", "YES"}}).ok());
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("pass constant-folding"));
}

// ---- As a shared library ----

TEST(InterpreterPluginTest, WorksAsASharedPlugin) {
  const char* folder = std::getenv("TEST_SRCDIR");
  const char* workspace = std::getenv("TEST_WORKSPACE");
  ASSERT_NE(folder, nullptr);
  ASSERT_NE(workspace, nullptr);
  PluginRegistry registry;
  Core core(&registry);
  const absl::Status loaded =
      core.LoadPlugin(std::string(folder) + "/" + workspace +
                      "/backends/interpreter/interpreter_plugin.so");
  ASSERT_TRUE(loaded.ok()) << loaded;
  EXPECT_THAT(core.AvailableDevices(), Contains("REFERENCE"));
  // Its other name, too.
  EXPECT_EQ(core.GetProperty("TEMPLATE", "FULL_DEVICE_NAME").value(),
            core.GetProperty("REFERENCE", "FULL_DEVICE_NAME").value());
  const auto compiled =
      core.Compile(*ParseModel(kSmall), "REFERENCE", {{"NUM_STREAMS", "2"}});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  auto request = compiled->NewRequest();
  ASSERT_TRUE(request.ok()) << request.status();
  ASSERT_TRUE(request->SetInput("x", Floats({2}, {1, -9})).ok());
  ASSERT_TRUE(request->StartAsync().ok());
  ASSERT_TRUE(request->Wait().ok());
  EXPECT_THAT(ToDoubleVector(*request->Output("relu")), ElementsAre(4, 0));

  const auto bytes = compiled->ExportToString();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const auto imported = core.ImportFromString(*bytes);
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(*imported->GetProperty("NUM_STREAMS"), "2");
  EXPECT_EQ(core.LoadPlugin("/no/such/plugin.so").code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace dovetail
