// Layers that no device knows by itself, on HETERO: an operation of an
// extension, and a kernel of a user's own on the GPU, between layers of another
// device.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/runtime/runtime.h"
#include "extensions/custom_op/testing/test_operations.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::Pointwise;

std::string Layer(int id, const std::string& name, const std::string& type,
                  const std::string& opset, const std::string& affinity) {
  return absl::StrCat(
      "<layer id=\"", id, "\" name=\"", name, "\" type=\"", type,
      "\" version=\"", opset,
      "\"><rt_info><attribute name=\"affinity\" version=\"0\" value=\"",
      affinity, R"("/></rt_info>
      <input><port id="0"><dim>3</dim></port></input>
      <output><port id="1" precision="FP32"><dim>3</dim></port></output>
    </layer>)");
}

// A vector of three elements: its absolute values, then an operation of the
// extension, then the negative ones; the first and the last on `others`.
std::string Sandwich(const std::string& type, const std::string& device,
                     const std::string& others) {
  return absl::StrCat(R"(<?xml version="1.0"?>
<net name="sandwich" version="11">
  <layers>
    <layer id="0" name="x" type="Parameter" version="opset1">
      <data shape="3" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>3</dim></port></output>
    </layer>)",
                      Layer(1, "before", "Abs", "opset1", others),
                      Layer(2, "own", type, "test", device),
                      Layer(3, "after", "Negative", "opset1", others), R"(
    <layer id="4" name="r" type="Result" version="opset1">
      <input><port id="0"><dim>3</dim></port></input>
    </layer>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
    <edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
    <edge from-layer="2" from-port="1" to-layer="3" to-port="0"/>
    <edge from-layer="3" from-port="1" to-layer="4" to-port="0"/>
  </edges>
</net>)");
}

class CustomLayersTest : public ::testing::Test {
 protected:
  CustomLayersTest() { EXPECT_TRUE(core_.AddExtension(TestOperations()).ok()); }

  bool HasGpu() const {
    const auto devices = core_.AvailableDevices();
    return ::testing::Matches(Contains("GPU"))(devices) ||
           ::testing::Matches(Contains("GPU.0"))(devices);
  }

  // What {-1, 0, 3} gives, in three parts.
  std::vector<double> Run(const std::string& text, const std::string& device,
                          const PropertyMap& properties) const {
    const auto model = core_.ReadModelFromMemory(text);
    EXPECT_TRUE(model.ok()) << model.status();
    if (!model.ok()) return {};
    const auto query = core_.Query(**model, device, properties);
    EXPECT_TRUE(query.ok()) << query.status();
    if (!query.ok()) return {};
    EXPECT_EQ(query->Find("own")->part, 1);
    EXPECT_EQ(query->Find("after")->part, 2);
    const auto compiled = core_.Compile(**model, device, properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return compiled.ok() ? Run(*compiled) : std::vector<double>();
  }
  static std::vector<double> Run(const CompiledModel& compiled) {
    InferRequest request = compiled.NewRequest().value();
    const Tensor x =
        Tensor::FromDoubles(ElementType::kF32, {3}, {-1, 0, 3}).value();
    absl::Status status = request.SetInput(0, x);
    status.Update(request.Infer());
    EXPECT_TRUE(status.ok()) << status;
    return ToDoubleVector(request.Output(0).value());
  }

  Core core_;
};

TEST_F(CustomLayersTest, AnOperationOfAnExtensionRunsOnTheDeviceOfItsAffinity) {
  const auto right = Pointwise(FloatNear(1e-6), {-0.5, 0.0, -0.75});
  const PropertyMap f32 = {{"INFERENCE_PRECISION_HINT", "f32"}};
  EXPECT_THAT(
      Run(Sandwich("Squash", "CPU", "REFERENCE"), "HETERO:CPU,REFERENCE", f32),
      right);
  EXPECT_THAT(
      Run(Sandwich("Squash", "REFERENCE", "CPU"), "HETERO:CPU,REFERENCE", f32),
      right);
}

// The file cannot be read without the extension, and says so.
TEST_F(CustomLayersTest, AnExportNamesTheExtension) {
  const auto model =
      core_.ReadModelFromMemory(Sandwich("Squash", "CPU", "REFERENCE"));
  ASSERT_TRUE(model.ok()) << model.status();
  const std::string device = "HETERO:CPU,REFERENCE";
  const auto bytes = core_.Compile(**model, device)->ExportToString();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const auto imported = core_.ImportFromString(*bytes, device);
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_THAT(Run(*imported), Pointwise(FloatNear(1e-2), {-0.5, 0.0, -0.75}));
  EXPECT_THAT(
      std::string(Core().ImportFromString(*bytes, device).status().message()),
      ::testing::HasSubstr("extension 'test_operations'"));
}

// It gives three times its input, which no other way to run "Twice" does.
TEST_F(CustomLayersTest, AKernelOfOnesOwnRunsInAPartOfTheGpu) {
  if (!HasGpu()) GTEST_SKIP() << "no OpenCL device";
  const PropertyMap kernel = {{"CONFIG_TEXT", R"(
    <CustomLayer name="Twice" type="SimpleGPU" version="1">
      <Kernel entry="thrice"><Source filename="f.cl"/></Kernel>
      <Buffers>
        <Tensor arg-index="0" type="input" port-index="0" format="ANY"/>
        <Tensor arg-index="1" type="output" port-index="0" format="ANY"/>
      </Buffers>
      <WorkSizes global="3"/>
    </CustomLayer>)"},
                              {"CONFIG_SOURCES", R"(
    <Source filename="f.cl"><![CDATA[
      __kernel void thrice(const __global float* x, __global float* y) {
        y[get_global_id(0)] = 3 * x[get_global_id(0)];
      }
    ]]></Source>)"}};
  EXPECT_THAT(Run(Sandwich("Twice", "GPU", "CPU"), "HETERO:GPU,CPU", kernel),
              ElementsAre(-3, 0, -9));
}

}  // namespace
}  // namespace dovetail
