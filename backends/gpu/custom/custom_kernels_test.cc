// Custom kernels in models, from file to result: forms that configurations of
// other programs have, and what is wrong with some.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/gpu_plugin.h"
#include "dovetail/backends/gpu/program/driver_program.h"
#include "dovetail/backends/gpu/testing/compare_plans.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/plugin/testing/standalone_call.h"
#include "dovetail/core/request/request.h"
#include "dovetail/testing/graphs/random_model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

const Plugin& Gpu() {
  static const Plugin* const plugin = MakeGpuPlugin().value().release();
  return *plugin;
}

// What a run gives: the outputs' elements, and the kernels that computed them.
struct Outcome {
  std::vector<std::vector<double>> outputs;
  std::set<std::string> kernels;
};

class CustomKernelsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasClDevice()) GTEST_SKIP() << "no OpenCL device";
    folder_ = testing::TempDir() + "/custom_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }

  // A file of one layer, whose kernel is function "f" of k.cl.
  std::string Layer(const std::string& name, const std::string& defines,
                    const std::string& tensors, const std::string& sizes,
                    const std::string& source) {
    Write("k.cl", source);
    return Write("kernels.xml",
                 absl::StrCat("<CustomLayer name=\"", name,
                              "\" type=\"SimpleGPU\" version=\"1\">\n"
                              "<Kernel entry=\"f\"><Source filename=\"k.cl\"/>",
                              defines, "</Kernel>\n<Buffers>", tensors,
                              "</Buffers>\n", sizes, "</CustomLayer>\n"));
  }

  static absl::StatusOr<Config> ConfigOf(const PropertyMap& properties) {
    PropertyLayers layers;
    layers.call = properties;
    layers.read_environment = false;
    return Config::Resolve(Gpu().properties(), layers);
  }

  static absl::StatusOr<Outcome> Run(const std::string& text,
                                     PropertyMap properties) {
    properties["PERF_COUNT"] = "YES";
    DOVETAIL_ASSIGN_OR_RETURN(const Config config, ConfigOf(properties));
    DOVETAIL_ASSIGN_OR_RETURN(Model model, ParseWithConstants(text));
    const StandaloneCall call(config);
    DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                              Gpu().Compile(model.Clone(), call));
    DOVETAIL_ASSIGN_OR_RETURN(std::unique_ptr<Request> request,
                              Request::Create(std::move(executable)));
    for (size_t i = 0; i < model.parameters().size(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(request->SetInput(
          static_cast<int>(i), RandomTensorFor(*model.parameters()[i])));
    }
    DOVETAIL_RETURN_IF_ERROR(request->Infer());
    Outcome outcome;
    for (size_t i = 0; i < model.results().size(); ++i) {
      DOVETAIL_ASSIGN_OR_RETURN(const Tensor tensor,
                                request->Output(static_cast<int>(i)));
      std::vector<double> elements;
      for (int64_t e = 0; e < tensor.element_count(); ++e) {
        elements.push_back(tensor.ElementAsDouble(e));
      }
      outcome.outputs.push_back(std::move(elements));
    }
    DOVETAIL_ASSIGN_OR_RETURN(const auto records, request->Profiling());
    for (const ProfilingRecord& record : records) {
      outcome.kernels.insert(record.kernel);
    }
    return outcome;
  }

  static Tensor RandomTensorFor(const Node& parameter) {
    Tensor tensor = Tensor::Allocate(parameter.port().type,
                                     parameter.port().shape.ToShape().value())
                        .value();
    uint32_t state = 12345;
    for (int64_t i = 0; i < tensor.element_count(); ++i) {
      state = state * 1664525 + 1013904223;
      const double value = static_cast<double>(state >> 20) / 1024 - 2;
      tensor.SetElement(i, parameter.port().type == ElementType::kF32
                               ? value
                               : std::floor(std::abs(value)));
    }
    return tensor;
  }

  // The custom kernel runs, and gives what the device's own gives.
  void ExpectAgrees(const std::string& model, const std::string& file,
                    double tolerance = 1e-5) {
    const auto own = Run(model, {});
    const auto custom = Run(model, {{"CONFIG_FILE", file}});
    ASSERT_TRUE(own.ok()) << own.status();
    ASSERT_TRUE(custom.ok()) << custom.status();
    EXPECT_EQ(own->kernels.count("custom f"), 0u);
    EXPECT_EQ(custom->kernels.count("custom f"), 1u);
    ASSERT_EQ(own->outputs.size(), custom->outputs.size());
    for (size_t i = 0; i < own->outputs.size(); ++i) {
      ASSERT_EQ(own->outputs[i].size(), custom->outputs[i].size());
      for (size_t e = 0; e < own->outputs[i].size(); ++e) {
        ASSERT_NEAR(own->outputs[i][e], custom->outputs[i][e], tolerance)
            << "output " << i << ", element " << e;
      }
    }
  }

  static std::string MessageOf(const std::string& model,
                               const std::string& file) {
    const auto outcome = Run(model, {{"CONFIG_FILE", file}});
    return outcome.ok() ? "" : std::string(outcome.status().message());
  }

  std::string folder_;
};

constexpr char kInOut[] =
    R"(<Tensor arg-index="0" type="input" port-index="0" format="BFYX"/>
       <Tensor arg-index="1" type="output" port-index="0" format="BFYX"/>)";
constexpr char kPitched[] = R"(
__kernel void f(const __global INPUT0_TYPE* input,
                __global OUTPUT0_TYPE* output) {
  const uint x = get_global_id(0), y = get_global_id(1);
  const uint feature = get_global_id(2) % OUTPUT0_DIMS[1];
  const uint batch = get_global_id(2) / OUTPUT0_DIMS[1];
  const uint from = batch * INPUT0_PITCHES[0] + feature * INPUT0_PITCHES[1] +
                    y * INPUT0_PITCHES[2] + x * INPUT0_PITCHES[3] +
                    INPUT0_OFFSET;
  const uint to = batch * OUTPUT0_PITCHES[0] + feature * OUTPUT0_PITCHES[1] +
                  y * OUTPUT0_PITCHES[2] + x * OUTPUT0_PITCHES[3] +
                  OUTPUT0_OFFSET;
  const INPUT0_TYPE value = input[from];
  output[to] = FUNCTION(value);
}
)";

// Between convolutions, whose data is in blocks and whose epilogue would take
// it.
constexpr char kReluModel[] = R"(
  %x = Parameter-0() {shape: [2,3,9,11], element_type: f32}
  %w = Parameter-0() {shape: [20,3,3,3], element_type: f32}  # constant
  %v = Parameter-0() {shape: [16,20,1,1], element_type: f32}  # constant
  %c = Convolution-1(%x, %w) {strides: [1,1], dilations: [1,1], pads_begin: [1,1], pads_end: [1,1]}
  %r = Relu-0(%c) {}
  %d = Convolution-1(%r, %v) {strides: [1,1], dilations: [1,1], pads_begin: [0,0], pads_end: [0,0]}
  %o = Result-0(%d) {}
)";

std::string PReluLike(const std::string& function) {
  return absl::StrCat("#define FUNCTION(v) ", function, kPitched);
}

TEST_F(CustomKernelsTest, AReluOfTheGuide) {
  const std::string file =
      Layer("ReLU",
            R"(<Define name="neg_slope" type="float" param="negative_slope"
                default="0.0"/>)",
            kInOut,
            R"(<CompilerOptions options="-cl-mad-enable"/>
               <WorkSizes global="X,Y,B*F"/>)",
            PReluLike("(v < 0 ? v * neg_slope : v)"));
  ExpectAgrees(kReluModel, file, 1e-4);
}

TEST_F(CustomKernelsTest, AnyFormat) {
  for (const char* format : {"byxf", "FYXB", "YXFB", "any"}) {
    const std::string tensors = absl::StrCat(
        R"(<Tensor arg-index="1" type="input" port-index="0" format=")", format,
        R"("/><Tensor arg-index="0" type="output" port-index="0" format=")",
        format, R"("/>)");
    std::string source = PReluLike("fmax(v, 0)");
    const std::string arguments =
        "const __global INPUT0_TYPE* input,\n"
        "                __global OUTPUT0_TYPE* output";
    source.replace(source.find(arguments), arguments.size(),
                   "__global OUTPUT0_TYPE* output, const __global "
                   "INPUT0_TYPE* input");
    ExpectAgrees(
        kReluModel,
        Layer("Relu", "", tensors, R"(<WorkSizes global="X,Y,B*F"/>)", source),
        1e-4);
  }
}

TEST_F(CustomKernelsTest, NumbersOfOutputsMayBeWrongWhereThereIsOne) {
  const std::string tensors =
      R"(<Tensor arg-index="0" type="input" port-index="0"/>
         <Tensor arg-index="1" type="output" port-index="1"/>)";
  ExpectAgrees(R"(
    %x = Parameter-0() {shape: [3,40], element_type: f32}
    %y = Cosh-0(%x) {}
    %o = Result-0(%y) {}
  )",
               Layer("Cosh", "", tensors, R"(<WorkSizes global="B,F"/>)", R"(
    __kernel void f(const __global float* x, __global float* y) {
      const int i = get_global_id(0) * INPUT0_DIMS[1] + get_global_id(1);
      y[i] = (exp(x[i]) + exp(-x[i])) / 2;
    })"),
               1e-4);
}

TEST_F(CustomKernelsTest, SeveralInputsAndAnElementAWorkItem) {
  const std::string tensors =
      R"(<Tensor type="input" port-index="0" arg-index="0"/>
         <Tensor type="output" port-index="0" arg-index="1"/>
         <Tensor type="input" port-index="1" arg-index="2"/>)";
  ExpectAgrees(R"(
    %x = Parameter-0() {shape: [2,5,7], element_type: f32}
    %z = Parameter-0() {shape: [2,5,7], element_type: f32}
    %y = Add-1(%x, %z) {}
    %u = Relu-0(%y) {}
    %o = Result-0(%u) {}
  )",
               Layer("Add", "", tensors, "", R"(
    #if INPUT0_DIMS_SIZE == 4 && NUM_INPUTS == 2
    float sum(float a, float b) { return a + b; }  // a helper
    #endif
    __kernel void f(const __global float* x, __global float* y,
                    const __global float* z) {
      const int i = get_global_id(0);
      y[i] = sum(x[i], z[i]);
    })"));
}

TEST_F(CustomKernelsTest, SeveralOutputs) {
  const std::string tensors =
      R"(<Tensor type="input" port-index="0" arg-index="0"/>
         <Tensor type="output" port-index="1" arg-index="1"/>
         <Tensor type="output" port-index="0" arg-index="2"/>)";
  ExpectAgrees(R"(
    %x = Parameter-0() {shape: [4,6], element_type: f32}
    %a = Constant-0() {value: i64[] {0}}
    %s = Split-1(%x, %a) {num_splits: 2}
    %o = Result-0(%s:0) {}
    %p = Result-0(%s:1) {}
  )",
               Layer("Split", R"(<Define name="PARTS" param="num_splits"/>)",
                     tensors, "", R"(
    __kernel void f(const __global float* x, __global float* second,
                    __global float* first) {
      const int i = get_global_id(0);
      first[i] = x[i];
      second[i] = x[i + INPUT0_DIMS[0] / PARTS * INPUT0_DIMS[1]];
    })"));
}

TEST_F(CustomKernelsTest, GroupsWithLocalMemory) {
  ExpectAgrees(R"(
    %x = Parameter-0() {shape: [3,64], element_type: f32}
    %a = Constant-0() {value: i64[1] {1}}
    %y = ReduceMax-1(%x, %a) {keep_dims: true}
    %o = Result-0(%y) {}
  )",
               Layer("ReduceMax", "", kInOut,
                     R"(<WorkSizes dim="input,0" global="Y*X,1"
                         local="64,1"/>)",
                     R"(
    __kernel void f(const __global float* x, __global float* y) {
      __local float values[64];
      const int i = get_local_id(0);
      values[i] = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      if (i > 0) return;
      float most = values[0];
      for (int k = 1; k < LOCAL_WORKSIZE[0]; ++k) most = fmax(most, values[k]);
      y[get_group_id(0)] = most;
    })"));
}

TEST_F(CustomKernelsTest, OneWorkItemAndIntegers) {
  ExpectAgrees(R"(
    %x = Parameter-0() {shape: [7], element_type: u8}
    %z = Constant-0() {value: u8[1] {3}}
    %y = Add-1(%x, %z) {}
    %o = Result-0(%y) {}
  )",
               Layer("Add", R"(<Define name="WHAT"/>)", kInOut,
                     R"(<WorkSizes global="1" local="1"/>)", R"(
    #ifdef WHAT
    __kernel void f(const __global INPUT0_TYPE* x, __global OUTPUT0_TYPE* y) {
      for (int i = 0; i < OUTPUT0_DIMS[0]; ++i) y[i] = x[i] + 3;
    }
    #endif)"));
}

TEST_F(CustomKernelsTest, AGroupThatDoesNotDivideIsTheDriversWhereNobodyAsks) {
  ExpectAgrees(
      R"(
    %x = Parameter-0() {shape: [5], element_type: f32}
    %y = Negative-0(%x) {}
    %o = Result-0(%y) {}
  )",
      Layer("Negative", "", kInOut, R"(<WorkSizes global="B" local="2"/>)", R"(
    __kernel void f(const __global float* x, __global float* y) {
      y[get_global_id(0)] = -x[get_global_id(0)];
    })"));
}

// What a kernel computes is not what passes know of its operation.
TEST_F(CustomKernelsTest, NoPassDropsMergesOrFusesItsLayers) {
  const std::string source =
      "__kernel void f(const __global float* x, __global float* y) {\n"
      "  y[get_global_id(0)] = x[get_global_id(0)] + 1;\n}\n";
  const auto both =
      Run(R"(
    %x = Constant-0() {value: f32[2] {1,2}}
    %y = Relu-0(%x) {}
    %z = Relu-0(%y) {}
    %o = Result-0(%z) {}
  )",
          {{"CONFIG_FILE", Layer("Relu", "", kInOut, "", source)}});
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_EQ(both->outputs[0], (std::vector<double>{3, 4}));
  const auto swish =
      Run(R"(
    %x = Constant-0() {value: f32[2] {1,2}}
    %y = Sigmoid-0(%x) {}
    %z = Multiply-1(%x, %y) {}
    %o = Result-0(%z) {}
  )",
          {{"CONFIG_FILE", Layer("Sigmoid", "", kInOut, "", source)}});
  ASSERT_TRUE(swish.ok()) << swish.status();
  EXPECT_EQ(swish->outputs[0], (std::vector<double>{2, 6}));
}

TEST_F(CustomKernelsTest, HalfIsComputedInF32) {
  constexpr char kHalves[] = R"(
    %x = Constant-0() {value: f16[2] {1,2}}
    %y = Negative-0(%x) {}
    %o = Result-0(%y) {}
  )";
  const auto negated =
      Run(kHalves, {{"CONFIG_FILE", Layer("Negative", "", kInOut, "", R"(
    __kernel void f(const __global INPUT0_TYPE* x, __global OUTPUT0_TYPE* y) {
      y[get_global_id(0)] = -x[get_global_id(0)];
    })")}});
  ASSERT_TRUE(negated.ok()) << negated.status();
  EXPECT_EQ(negated->outputs[0], (std::vector<double>{-1, -2}));
  const auto halves =
      Run(kHalves, {{"CONFIG_FILE", Layer("Negative", "", kInOut, "", R"(
    __kernel void f(const __global half* x, __global half* y) {
      half value = vload_half(get_global_id(0), x);
      vstore_half(convert_half(2.0f * value), get_global_id(0), y);
    })")}});
  ASSERT_TRUE(halves.ok()) << halves.status();
  EXPECT_EQ(halves->outputs[0], (std::vector<double>{2, 4}));
  EXPECT_THAT(MessageOf(kHalves, Layer("Negative", "", kInOut, "", R"(
    __kernel void f(const __global half* x, __global half* y) {
      y[0] = as_half((ushort)1);
    })")),
              AllOf(HasSubstr("k.cl"), HasSubstr("as_half")));
}

// ---- Arguments ----

TEST_F(CustomKernelsTest, TheKernelIsLaunchedItself) {
  ExpectAgrees(R"(
    %x = Parameter-0() {shape: [2,64], element_type: f32}
    %z = Parameter-0() {shape: [64], element_type: f32}
    %y = Multiply-1(%x, %z) {}
    %o = Result-0(%y) {}
  )",
               Layer("Multiply", "", R"(
      <Tensor type="input" port-index="0" arg-index="0"/>
      <Tensor type="input" port-index="1" arg-index="1"/>
      <Tensor type="output" port-index="0" arg-index="2"/>)",
                     R"(<WorkSizes global="F,B" local="16,1"/>)", R"(
    __kernel __attribute__((reqd_work_group_size(16, 1, 1)))
    void f(const __global float* restrict x, __constant float* z,
           __global float* y) {
      const int i = get_global_id(1) * INPUT0_PITCHES[0] + get_global_id(0);
      y[i] = x[i] * z[get_global_id(0)];
    })"));
}

// The second part of 5 elements begins where no buffer may.
TEST_F(CustomKernelsTest, PartsOfTensorsMayLieAnywhere) {
  const std::string file = Layer("Negative", "", kInOut, "", R"(
    __kernel void f(__constant float* x, __global float* y) {
      y[get_global_id(0)] = -x[get_global_id(0)];
    })");
  ExpectAgrees(R"(
    %x = Parameter-0() {shape: [15], element_type: f32}
    %r = Relu-0(%x) {}
    %a = Constant-0() {value: i64[] {0}}
    %s = Split-1(%r, %a) {num_splits: 3}
    %n = Negative-0(%s:1) {}
    %m = Negative-0(%s:2) {}
    %t = Split-1(%x, %a) {num_splits: 3}
    %k = Negative-0(%t:1) {}
    %c = Concat-0(%s:0, %n, %m, %k) {axis: 0}
    %d = Relu-0(%c) {}
    %o = Result-0(%d) {}
    %p = Result-0(%c) {}
  )",
               file);
}

TEST_F(CustomKernelsTest, Scalars) {
  const std::string tensors = R"(
    <Tensor type="input" port-index="0" arg-index="0"/>
    <Tensor type="output" port-index="0" arg-index="1"/>
    <Scalar type="float" arg-index="2" param="alpha"/>
    <Scalar type="uchar" arg-index="3" value="INPUT0_DIMS[1] * TWO - 5"/>
    <Scalar type="double" arg-index="4" param="none" value="0.25"/>
    <Scalar type="long" arg-index="5" value="B * X"/>)";
  const std::string file =
      Layer("Elu", R"(<Define name="TWO" default="2"/>)", tensors, "", R"(
    __kernel void f(const __global float* x, __global float* y,
                    const float alpha, uchar columns, double quarter, long b) {
      const int i = get_global_id(0);
      const int is_right = columns == 1 && quarter == 0.25 && b == 2;
      y[i] = x[i] > 0 ? x[i] : alpha * (exp(x[i]) - 1) * is_right;
    })");
  constexpr char kElu[] = R"(
    %x = Parameter-0() {shape: [2,3], element_type: f32}
    %y = Elu-0(%x) {alpha: 0.7}
    %o = Result-0(%y) {}
  )";
  ExpectAgrees(kElu, file);
  const auto message_with = [&](const std::string& scalar) {
    return MessageOf(
        kElu, Layer("Elu", "",
                    R"(<Tensor type="input" port-index="0" arg-index="0"/>
           <Tensor type="output" port-index="0" arg-index="1"/>)" +
                        scalar,
                    "", "__kernel void f() {}"));
  };
  EXPECT_THAT(
      message_with(R"(<Scalar type="char" arg-index="2" value="300"/>)"),
      AllOf(HasSubstr("<Scalar arg-index=\"2\">"), HasSubstr("it is 300")));
  EXPECT_THAT(
      message_with(R"(<Scalar type="int" arg-index="2" param="alpha"/>)"),
      HasSubstr("expression '0.7"));
  EXPECT_THAT(message_with(R"(<Scalar type="int" arg-index="2" param="no"/>)"),
              HasSubstr("has no attribute 'no'"));
}

TEST_F(CustomKernelsTest, LocalAndInternalMemory) {
  ExpectAgrees(R"(
    %x = Parameter-0() {shape: [6,32], element_type: f32}
    %a = Constant-0() {value: i64[1] {1}}
    %y = ReduceSum-1(%x, %a) {keep_dims: true}
    %o = Result-0(%y) {}
  )",
               Layer("ReduceSum", "", R"(
      <Tensor type="local" size="INPUT0_DIMS[1] * 2" arg-index="0"/>
      <Tensor type="input" port-index="0" arg-index="1"/>
      <Tensor type="internal" size="INPUT0_DIMS[0]*INPUT0_DIMS[1]"
              element-type="int" arg-index="2"/>
      <Tensor type="output" port-index="0" arg-index="3"/>)",
                     R"(<WorkSizes dim="input,0" global="Y*X" local="X"/>)",
                     R"(
    __kernel void f(__local float2* values, const __global float* x,
                    __global int* order, __global float* y) {
      const int i = get_local_id(0), n = get_local_size(0);
      const int at = get_global_id(0);
      values[i] = (float2)(x[at], 0);
      order[at] = n - 1 - i;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (i > 0) return;
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += values[order[at + k]].x;
      y[get_group_id(0)] = sum;
    })"),
               1e-4);
}

TEST_F(CustomKernelsTest, BinariesOfTheDriver) {
  const auto devices = ListClDevices();
  ASSERT_TRUE(devices.ok()) << devices.status();
  JoinedSource::Program source;
  source.text =
      "__kernel void f(const __global float* x, __global float* y, int n) {\n"
      "  y[get_global_id(0)] = n - x[get_global_id(0)];\n}\n";
  const auto built = BuildFromSource(*devices->front(), source, "");
  ASSERT_TRUE(built.ok()) << built.status();
  const auto binary = BinaryOf(*devices->front(), *built);
  ASSERT_TRUE(binary.ok()) << binary.status();
  Write("k.bin", *binary);
  const std::string file = Write("binary.xml", R"(
    <CustomLayer name="Relu" type="SimpleGPU" version="1">
    <Kernel entry="f"><Binary filename="k.bin"/></Kernel>
    <Buffers><Tensor arg-index="0" type="input" port-index="0"/>
    <Tensor arg-index="1" type="output" port-index="0"/>
    <Scalar arg-index="2" type="int" value="B*5"/></Buffers></CustomLayer>)");
  constexpr char kOnes[] = R"(
    %x = Constant-0() {value: f32[2] {1,2}}
    %y = Relu-0(%x) {}
    %o = Result-0(%y) {}
  )";
  const auto outcome = Run(kOnes, {{"CONFIG_FILE", file}});
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->outputs[0], (std::vector<double>{9, 8}));
  Write("k.bin", "of no driver");
  EXPECT_THAT(MessageOf(kOnes, file), HasSubstr("it has to be of driver"));
}

TEST_F(CustomKernelsTest, ArgumentsAreCounted) {
  EXPECT_THAT(MessageOf(R"(
    %x = Parameter-0() {shape: [5], element_type: f32}
    %y = Negative-0(%x) {}
    %o = Result-0(%y) {}
  )",
                        Layer("Negative", "", kInOut, "", R"(
    __kernel void f(const __global float* x) {})")),
              AllOf(HasSubstr("kernels.xml:1"), HasSubstr("takes 1 arguments"),
                    HasSubstr("<Buffers> has 2")));
}

// ---- What is wrong ----

constexpr char kNegative[] = R"(
  %x = Parameter-0() {shape: [5], element_type: f32}
  %y = Negative-0(%x) {}
  %o = Result-0(%y) {}
)";
constexpr char kCopy[] =
    "__kernel void f(const __global float* x, __global float* y) {\n"
    "  y[get_global_id(0)] = x[get_global_id(0)];\n}\n";

TEST_F(CustomKernelsTest, AFileIsReadWhenItIsSet) {
  EXPECT_THAT(ConfigOf({{"CONFIG_FILE", "/nowhere.xml"}}).status().message(),
              AllOf(HasSubstr("CONFIG_FILE"), HasSubstr("/nowhere.xml")));
  const std::string file = Write("bad.xml", "<CustomLayer name=\"A\"/>");
  EXPECT_THAT(ConfigOf({{"CONFIG_FILE", file}}).status().message(),
              AllOf(HasSubstr("bad.xml:1"), HasSubstr("type")));
}

TEST_F(CustomKernelsTest, TensorsThatTheLayerDoesNotHave) {
  EXPECT_THAT(
      MessageOf(kNegative,
                Layer("Negative", "",
                      R"(<Tensor arg-index="0" type="input" port-index="3"/>
                         <Tensor arg-index="1" type="output" port-index="0"/>)",
                      "", kCopy)),
      AllOf(HasSubstr("kernels.xml:1"), HasSubstr("'Negative'"),
            HasSubstr("port-index=\"3\""), HasSubstr("has 1 inputs")));
  EXPECT_THAT(
      MessageOf(kNegative,
                Layer("Negative", "",
                      R"(<Tensor arg-index="0" type="input" port-index="0"/>
                         <Tensor arg-index="2" type="output" port-index="0"/>)",
                      "", kCopy)),
      HasSubstr("only 2 of them have a <Tensor>"));
  EXPECT_THAT(MessageOf(R"(
    %x = Parameter-0() {shape: [4], element_type: f32}
    %a = Constant-0() {value: i64[] {0}}
    %s = Split-1(%x, %a) {num_splits: 2}
    %o = Result-0(%s:0) {}
    %p = Result-0(%s:1) {}
  )",
                        Layer("Split", "", kInOut, "", kCopy)),
              HasSubstr("no <Tensor> writes output 1"));
}

TEST_F(CustomKernelsTest, ShapesAndSizesThatCannotBe) {
  EXPECT_THAT(MessageOf(R"(
    %x = Parameter-0() {shape: [1,2,3,4,5], element_type: f32}
    %y = Negative-0(%x) {}
    %o = Result-0(%y) {}
  )",
                        Layer("Negative", "", kInOut, "", kCopy)),
              HasSubstr("has 5 axes"));
  EXPECT_THAT(
      MessageOf(kNegative, Layer("Negative", "", kInOut,
                                 R"(<WorkSizes global="B-B"/>)", kCopy)),
      HasSubstr("'B-B' is 0"));
  EXPECT_THAT(
      MessageOf(kNegative, Layer("Negative", "", kInOut,
                                 R"(<WorkSizes global="B" local="2"/>)",
                                 absl::StrCat("// get_local_id\n", kCopy))),
      AnyOf("", HasSubstr("groups of 2 do not divide 5 work items")));
}

TEST_F(CustomKernelsTest, AFunctionThatIsNotThere) {
  EXPECT_THAT(MessageOf(kNegative, Layer("Negative", "", kInOut, "",
                                         "__kernel void g() {}\n")),
              HasSubstr("entry=\"f\">: no source has a function"));
}

TEST_F(CustomKernelsTest, ABuildErrorNamesFileAndLine) {
  EXPECT_THAT(
      MessageOf(kNegative, Layer("Negative", "", kInOut, "",
                                 "__kernel void f(const __global float* x,\n"
                                 "                __global float* y) {\n"
                                 "  y[0] = nothing;\n}\n")),
      AllOf(HasSubstr("kernels.xml:1: custom kernel 'Negative'"),
            HasSubstr("k.cl:3"), HasSubstr("nothing")));
}

// ---- Caches ----

TEST_F(CustomKernelsTest, AChangedSourceCountsAlsoWithACache) {
  const std::string cache = folder_ + "/cache";
  const auto first_with = [&](const std::string& value) {
    const std::string file = Layer(
        "Negative", "", kInOut, "",
        absl::StrCat("__kernel void f(const __global float* x, __global float* "
                     "y) { y[get_global_id(0)] = ",
                     value, "; }\n"));
    const auto outcome =
        Run(kNegative, {{"CONFIG_FILE", file}, {"CACHE_DIR", cache}});
    EXPECT_TRUE(outcome.ok()) << outcome.status();
    return outcome.ok() ? outcome->outputs[0][0] : -1;
  };
  EXPECT_EQ(first_with("7"), 7);
  EXPECT_EQ(first_with("7"), 7);
  EXPECT_EQ(first_with("8"), 8);
  const std::string identity =
      Gpu().CacheIdentity(StandaloneCall(ConfigOf({}).value()));
  EXPECT_THAT(identity, testing::Not(HasSubstr("custom")));
}

}  // namespace
}  // namespace dovetail::gpu
