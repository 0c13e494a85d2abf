// Custom layers as users of the device have them.
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/vpu/custom/compile_kernel.h"
#include "dovetail/backends/vpu/testing/one_layer.h"
#include "dovetail/core/base/testing/captured_log.h"
#include "dovetail/core/runtime/runtime.h"
#include "dovetail/extensions/custom_kernels/shave/kernel_file.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

constexpr char kFile[] = "testing/shave_kernels/layers.xml";

// A kernel of one input and one output for layers of a type, an item for each
// output unless `global` says otherwise: writes its source and its entry, whose
// file is the result. <Kernel> is in line 3.
std::string KernelFile(const std::string& type, const std::string& kernel,
                       const std::string& source,
                       const std::string& global = "B*F*Y*X") {
  WriteTestFile(kernel + ".cl", source);
  return WriteTestFile(
      kernel + ".xml",
      absl::StrReplaceAll(R"(
<CustomLayer name="$type" type="MVCL" version="1">
  <Kernel entry="$kernel">
    <Source filename="$kernel.cl"/>
    <Parameters>
      <Tensor arg-name="in" type="input" port-index="0" format="ANY"/>
      <Tensor arg-name="out" type="output" port-index="0" format="ANY"/>
    </Parameters>
    <WorkSizes dim="output,0" global="$global" local="1"/>
  </Kernel>
</CustomLayer>)",
                          {{"$type", type},
                           {"$kernel", kernel},
                           {"$global", global}}));
}

class CustomLayersTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = WhyNoCustomKernels();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  // How a query says that the layer runs.
  std::string HowItRuns(const std::string& shape, const std::string& layer) {
    const auto result =
        core_.Query(ModelWith(shape, layer), "VPU", {{"CONFIG_FILE", kFile}});
    EXPECT_TRUE(result.ok()) << result.status();
    for (const QueryResult::Layer& one : result->layers) {
      if (one.name == "layer") return one.how;
    }
    return "none";
  }

  Core core_;
};

TEST_F(CustomLayersTest, QueriesSayWhichKernelComputesALayer) {
  EXPECT_THAT(HowItRuns("[1,5,3,8]", "GRN-0(%x) {bias: 0.5}"),
              HasSubstr("custom kernel testing/shave_kernels/layers.xml:15"));
  // The restriction is across_channels="0".
  EXPECT_EQ(HowItRuns("[1,3,5,8]",
                      "MVN-0(%x) {eps: 0.001, across_channels: true, "
                      "normalize_variance: true}"),
            "native");
  const auto result = core_.Query(ModelWith("[1,5,3,8]", "GRN-0(%x) {bias: 1}"),
                                  "VPU", {{"CONFIG_FILE", kFile}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->notes,
              Contains(HasSubstr("custom layer 'GRN' computes layer")));
  EXPECT_THAT(result->notes,
              Contains(HasSubstr("'ReorgYolo' matches no layer")));
}

TEST_F(CustomLayersTest, CompilingLogsOfEachEntryWhetherItMatches) {
  const Model model = ModelWith("[1,5,3,8]", "GRN-0(%x) {bias: 1}");
  const CapturedLog log(LogLevel::kInfo);
  ASSERT_TRUE(core_.Compile(model, "VPU", {{"CONFIG_FILE", kFile}}).ok());
  EXPECT_THAT(log.MessagesWith("custom layer 'GRN' computes layer"),
              Contains(Pair(LogLevel::kInfo, HasSubstr("layers.xml:15"))));
  EXPECT_THAT(log.MessagesWith("custom layer 'ReorgYolo' matches no layer"),
              Contains(Pair(LogLevel::kWarning, HasSubstr("layers.xml:"))));
  EXPECT_THAT(log.MessagesWith("'GRN'"),
              Not(Contains(Pair(LogLevel::kWarning, _))));
}

TEST_F(CustomLayersTest, AWrongFileIsRefusedWhenItIsSet) {
  const std::string path = WriteTestFile("wrong.xml", "<CustomLayer/>");
  const absl::Status status =
      core_.SetProperty("VPU", "VPU_CUSTOM_LAYERS", path);
  EXPECT_THAT(status.message(), HasSubstr("wrong.xml:1: <CustomLayer>: "
                                          "attribute 'name' is missing"));
  EXPECT_FALSE(core_.SetProperty("VPU", "CONFIG_FILE", "/none.xml").ok());
}

TEST_F(CustomLayersTest, WhatGoesIntoAConvolutionMayBeCustomToo) {
  const std::string path = KernelFile("relu", "twice", R"(
__kernel void twice(__global const half* in, __global half* out) {
  const int i = get_global_id(0);
  out[i] = in[i] * (half)2;
})");
  const Model model = ModelOf(R"(
    %x = Parameter-0() {shape: [1,1,2,3], element_type: f32}  # x
    %w = Constant-0() {value: f32[1,1,1,1] {-1}}
    %c = Convolution-1(%x, %w) {strides: [1,1], pads_begin: [0,0], pads_end: [0,0], dilations: [1,1], auto_pad: explicit}  # conv
    %r = Relu-0(%c) {}  # relu
    %0 = Result-0(%r) {}  # out
  )");
  const auto compiled = core_.Compile(model, "VPU", {{"CONFIG_FILE", path}});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_EQ(InferOnce(*compiled)->values[0],
            6);  // -3 * -1 * 2, where a ReLU gave 3
}

TEST_F(CustomLayersTest, AKernelThatNeverEndsFailsTheInference) {
  const std::string path = KernelFile("Relu", "ever", R"(
__kernel void ever(__global volatile half* in, __global half* out) {
  while (in[0] < (half)100) in[1] = in[1] + (half)1;
})",
                                      /*global=*/"1");
  const auto compiled =
      core_.Compile(ModelWith("[1,1,2,3]", "Relu-0(%x) {}"), "VPU",
                    {{"CONFIG_FILE", path}, {"MYRIAD_WATCHDOG", "50"}});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  const absl::Status status = InferOnce(*compiled).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(status.message(), HasSubstr("ever.xml:3: kernel ever: it ran "
                                          "longer than MYRIAD_WATCHDOG=50 ms"));
  // It is stopped each time; the driver's threads are free for others.
  EXPECT_EQ(InferOnce(*compiled).status(), status);
  for (int i = 0; i < 3; ++i) {
    const auto other = core_.Compile(
        ModelWith("[1,5,3,8]", "GRN-0(%x) {bias: 0.5}"), "VPU",
        {{"CONFIG_FILE", kFile}, {"MYRIAD_WATCHDOG", "20000"}});
    ASSERT_TRUE(other.ok()) << other.status();
    EXPECT_TRUE(InferOnce(*other).ok());
  }
}

TEST_F(CustomLayersTest, AKernelThatWritesOutsideFailsTheInference) {
  const std::string path = KernelFile("Relu", "beyond", R"(
__kernel void beyond(__global const half* in, __global half* out) {
  const int i = get_global_id(0);
  out[in[i] < (half)0 ? i + 100000 : i] = in[i];
})");
  const auto compiled = core_.Compile(ModelWith("[1,4]", "Relu-0(%x) {}"),
                                      "VPU", {{"CONFIG_FILE", path}});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  InferRequest request = compiled->NewRequest().value();
  const auto infer = [&](double value) {
    EXPECT_TRUE(
        request.SetInput(0, Floats({1, 4}, std::vector<double>(4, value)))
            .ok());
    return request.Infer();
  };
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(infer(2), absl::OkStatus());
    EXPECT_EQ(request.Output(0)->ElementAsDouble(3), 2);
    const absl::Status status = infer(-2);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("layer"),
                      HasSubstr("beyond.xml:3: kernel beyond: it writes outside "
                                "of its arguments: byte 20000"),
                      HasSubstr("of 'out', which has 8 bytes")));
  }
}

// A kernel that multiplies by `factor`, for Relu, with the factor in a header.
std::string TimesFile(const std::string& name, const std::string& factor) {
  WriteTestFile(name + ".h", "#define FACTOR ((half)" + factor + ")\n");
  return KernelFile("Relu", name,
                    "#include \"" + name + R"(.h"
__kernel void )" + name + R"((__global const half* in, __global half* out) {
  const int i = get_global_id(0);
  out[i] = in[i] * FACTOR;
})");
}

TEST_F(CustomLayersTest, AChangedSourceCountsWithACacheToo) {
  const std::string cache = absl::StrCat(testing::TempDir(), "/cache");
  const auto first_value = [&](const std::string& factor) {
    const PropertyMap properties = {
        {"MYRIAD_CUSTOM_LAYERS", TimesFile("cached", factor)},
        {"CACHE_DIR", cache}};
    const auto compiled =
        core_.Compile(ModelWith("[1,4]", "Relu-0(%x) {}"), "VPU", properties);
    EXPECT_TRUE(compiled.ok()) << compiled.status();
    return InferOnce(*compiled)->values[0];
  };
  EXPECT_EQ(first_value("2"), -6);
  EXPECT_EQ(first_value("2"), -6);  // from the cache
  EXPECT_EQ(first_value("3"), -9);
}

TEST_F(CustomLayersTest, ACompiledKernelStandsInPlaceOfItsSource) {
  const std::string file = TimesFile("offline", "2");
  const std::string source = testing::TempDir() + "/offline.cl";
  const auto kernel = CompileKernel(source, "");
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ(kernel->entry, "offline");
  EXPECT_EQ(kernel->parameters, (std::vector<std::string>{"in", "out"}));
  WriteTestFile("offline.cl", kernel->file);
  std::filesystem::remove(testing::TempDir() + "/offline.h");
  const auto compiled = core_.Compile(ModelWith("[1,4]", "Relu-0(%x) {}"),
                                      "VPU", {{"CUSTOM_LAYERS", file}});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_EQ(InferOnce(*compiled)->values[0], -6);
  EXPECT_EQ(CompileKernel(source, "").status().message(),
            source + " is a compiled kernel already");
  // Of another driver: it is compiled again.
  ShaveKernelFile parts = ReadShaveKernelFile(kernel->file).value();
  parts.compiler = parts.binary = "another";
  WriteTestFile("offline.cl", WriteShaveKernelFile(parts));
  EXPECT_EQ(InferOnce(core_
                          .Compile(ModelWith("[1,4]", "Relu-0(%x) {}"), "VPU",
                                   {{"CUSTOM_LAYERS", file}})
                          .value())
                ->values[0],
            -6);
  WriteTestFile("offline.cl", kernel->file.substr(0, 100));
  EXPECT_FALSE(core_.SetProperty("VPU", "CUSTOM_LAYERS", file).ok());
}

TEST_F(CustomLayersTest, ExportsNeedNoFile) {
  const std::string file = TimesFile("exported", "2");
  const auto compiled = core_.Compile(ModelWith("[1,4]", "Relu-0(%x) {}"),
                                      "VPU", {{"VPU_CUSTOM_LAYERS", file}});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  const std::string blob = compiled->ExportToString().value();
  for (const char* const end : {".xml", ".cl", ".h"}) {
    std::filesystem::remove(testing::TempDir() + "/exported" + end);
  }
  const auto imported = core_.ImportFromString(blob, "VPU");
  ASSERT_TRUE(imported.ok()) << imported.status();
  EXPECT_EQ(InferOnce(*imported)->values[0], -6);
  // The file is as it was when it was written, whatever lies there now.
  EXPECT_EQ(imported->ExportToString().value(), blob);
}

TEST_F(CustomLayersTest, ShapesMayChange) {
  const auto compiled =
      core_.Compile(ModelWith("[1,?]", "Relu-0(%x) {}"), "VPU",
                    {{"MYRIAD_CUSTOM_LAYERS", TimesFile("dynamic", "4")}});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  for (const int64_t count : {3, 5, 0}) {
    InferRequest request = compiled->NewRequest().value();
    const std::vector<double> values(static_cast<size_t>(count), 0.5);
    ASSERT_TRUE(request.SetInput(0, Floats({1, count}, values)).ok());
    const absl::Status status = request.Infer();
    ASSERT_TRUE(status.ok()) << status;
    const Tensor output = request.Output(0).value();
    ASSERT_EQ(output.element_count(), count);
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_EQ(output.ElementAsDouble(i), 2);
    }
  }
}

TEST_F(CustomLayersTest, SeveralRequestsRunAtOnce) {
  const auto compiled =
      core_.Compile(ModelWith("[1,5,3,8]", "GRN-0(%x) {bias: 0.5}"), "VPU",
                    {{"CONFIG_FILE", kFile}});
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  const std::vector<float> want = InferOnce(*compiled)->values;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 10; ++k) {
        EXPECT_EQ(InferOnce(*compiled)->values, want);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CustomLayersTest, ErrorsNameTheLayerAndThePlace) {
  const auto error = [&](const std::string& kernel) {
    WriteTestFile("bad.cl", kernel);
    return std::string(
        core_
            .Compile(ModelWith("[1,4]", "Relu-0(%x) {}"), "VPU",
                     {{"CONFIG_FILE", WriteTestFile("bad.xml", R"(
<CustomLayer name="Relu" type="MVCL" version="1">
  <Kernel entry="bad">
    <Source filename="bad.cl"/>
    <Parameters>
      <Tensor arg-name="in" type="input" port-index="0"/>
      <Tensor arg-name="out" type="output" port-index="0"/>
      <Scalar arg-name="n" type="int" source="axis"/>
    </Parameters>
    <WorkSizes dim="output,0" global="1" local="1"/>
  </Kernel>
</CustomLayer>)")}})
            .status()
            .message());
  };
  const std::string kernel =
      "kernel void bad(global half* in, global half* out, int n) {\n";
  EXPECT_THAT(error(kernel + "  for (int i = 0; i < n; ++i)\n    x = 1;\n}"),
              AllOf(HasSubstr("layer"), HasSubstr("bad.xml:3: kernel bad"),
                    HasSubstr("bad.cl:3"), Not(HasSubstr("dovetail_go"))));
  EXPECT_THAT(error(kernel + "}"),
              HasSubstr("bad.xml:8: arg-name=\"n\": source=\"axis\" is no "
                        "attribute"));
}

}  // namespace
}  // namespace dovetail::vpu
