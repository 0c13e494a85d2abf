// Operations of a library on GPU: by a formula, by a kernel entry, by the host;
// with device and library linked and loaded, in all four ways.
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/plugin/registry/registry.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/testing/custom_op/one_layer.h"
#include "dovetail/testing/shared_files.h"
#include "extensions/custom_op/testing/test_operations.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

// Gives three times its input, so that it is told from the operation.
constexpr char kEntry[] =
    R"(<CustomLayer name="Twice" type="SimpleGPU" version="1">
  <Kernel entry="thrice"><Source filename="f.cl"/></Kernel>
  <Buffers>
    <Tensor arg-index="0" type="input" port-index="0" format="ANY"/>
    <Tensor arg-index="1" type="output" port-index="0" format="ANY"/>
  </Buffers>
  <WorkSizes global="3"/>
</CustomLayer>)";
constexpr char kSource[] = R"(<Source filename="f.cl"><![CDATA[
__kernel void thrice(const __global float* x, __global float* y) {
  y[get_global_id(0)] = 3 * x[get_global_id(0)];
}
]]></Source>)";

// Whether the plugin, and the operations, are libraries that are loaded.
class CustomOpGpuTest
    : public ::testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  void SetUp() override {
    const auto [loads_plugin, loads_operations] = GetParam();
    if (loads_plugin) {
      core_ = Core(&registry_);
      const absl::Status loaded =
          core_.LoadPlugin(RunfilePath("backends/gpu/gpu_plugin.so"));
      ASSERT_TRUE(loaded.ok()) << loaded;
    }
    const auto devices = core_.AvailableDevices();
    if (!::testing::Matches(::testing::Contains("GPU.0"))(devices) &&
        !::testing::Matches(::testing::Contains("GPU"))(devices)) {
      GTEST_SKIP() << "no OpenCL device";
    }
    const absl::Status added =
        loads_operations
            ? core_.AddExtension(RunfilePath(
                  "extensions/custom_op/testing/test_operations.so"))
            : core_.AddExtension(TestOperations());
    ASSERT_TRUE(added.ok()) << added;
  }

  std::unique_ptr<Model> Read(const std::string& type) {
    return core_.ReadModelFromMemory(OneLayer(type, "test")).value();
  }
  std::string HowOf(const std::string& type, const PropertyMap& properties) {
    const auto query = core_.Query(*Read(type), "GPU", properties);
    EXPECT_TRUE(query.ok()) << query.status();
    if (!query.ok()) return "";
    for (const QueryResult::Layer& layer : query->layers) {
      if (layer.name == "the layer") return layer.how;
    }
    return "there is no such layer";
  }
  std::vector<double> Run(const CompiledModel& compiled) {
    auto request = compiled.NewRequest().value();
    const Tensor x =
        Tensor::FromDoubles(ElementType::kF32, {3}, {-1, 0, 3}).value();
    absl::Status status = request.SetInput(0, x);
    status.Update(request.Infer());
    EXPECT_TRUE(status.ok()) << status;
    return ToDoubleVector(request.Output(0).value());
  }
  std::vector<double> RunType(const std::string& type,
                              const PropertyMap& properties) {
    const auto compiled = core_.Compile(*Read(type), "GPU", properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    if (!compiled.ok()) return {};
    const std::vector<double> direct = Run(*compiled);
    // The same from an export, which needs no file.
    const auto bytes = compiled->ExportToString();
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    if (!bytes.ok()) return {};
    const auto imported = core_.ImportFromString(*bytes);
    EXPECT_TRUE(imported.ok()) << imported.status();
    if (imported.ok()) {
      EXPECT_EQ(Run(*imported), direct);
    }
    return direct;
  }

  PluginRegistry registry_;
  Core core_;
};

TEST_P(CustomOpGpuTest, TakesTheFormulaRatherThanTheHost) {
  EXPECT_EQ(HowOf("Twice", {}), "decomposed");
  EXPECT_THAT(RunType("Twice", {}), ElementsAre(-2, 0, 6));
  EXPECT_EQ(HowOf("Halve", {}), "decomposed");
  EXPECT_THAT(RunType("Halve", {}), ElementsAre(-0.5, 0, 1.5));
}

TEST_P(CustomOpGpuTest, LeavesAKernelWithoutAFormulaToTheHost) {
  EXPECT_EQ(HowOf("Squash", {}), "host");
  EXPECT_THAT(RunType("Squash", {}),
              Pointwise(FloatNear(1e-3), {-0.5, 0.0, 0.75}));
}

TEST_P(CustomOpGpuTest, AKernelEntryComesFirst) {
  const PropertyMap entry = {{"CONFIG_TEXT", kEntry},
                             {"CONFIG_SOURCES", kSource}};
  EXPECT_THAT(HowOf("Twice", entry), HasSubstr("custom kernel"));
  EXPECT_THAT(RunType("Twice", entry), ElementsAre(-3, 0, 9));
}

INSTANTIATE_TEST_SUITE_P(
    Places, CustomOpGpuTest,
    ::testing::Combine(::testing::Bool(), ::testing::Bool()),
    [](const auto& info) {
      return absl::StrCat(std::get<0>(info.param) ? "Loaded" : "Linked",
                          std::get<1>(info.param) ? "OpsLoaded" : "OpsLinked");
    });

}  // namespace
}  // namespace dovetail
