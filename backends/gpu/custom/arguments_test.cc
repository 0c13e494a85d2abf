// Arguments of custom kernels: scalars, memory of the device and of groups,
// parts of tensors; and binaries, which take nothing else.
#include <string>

#include "dovetail/backends/gpu/custom/testing/custom_test.h"
#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/program/driver_program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CustomArgumentsTest : public CustomKernelsTest {};

TEST_F(CustomArgumentsTest, TheKernelIsLaunchedItself) {
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
TEST_F(CustomArgumentsTest, PartsOfTensorsMayLieAnywhere) {
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

TEST_F(CustomArgumentsTest, Scalars) {
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

TEST_F(CustomArgumentsTest, LocalAndInternalMemory) {
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

TEST_F(CustomArgumentsTest, BinariesOfTheDriver) {
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

TEST_F(CustomArgumentsTest, ArgumentsAreCounted) {
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

}  // namespace
}  // namespace dovetail::gpu
