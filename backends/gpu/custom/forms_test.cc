// Custom kernels in the forms that configurations of other programs have, and
// among the passes of a compile.
#include <string>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/custom/testing/custom_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class CustomFormsTest : public CustomKernelsTest {};

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

TEST_F(CustomFormsTest, AReluOfTheGuide) {
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

TEST_F(CustomFormsTest, AnyFormat) {
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

TEST_F(CustomFormsTest, NumbersOfOutputsMayBeWrongWhereThereIsOne) {
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

TEST_F(CustomFormsTest, SeveralInputsAndAnElementAWorkItem) {
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

TEST_F(CustomFormsTest, SeveralOutputs) {
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

TEST_F(CustomFormsTest, GroupsWithLocalMemory) {
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

TEST_F(CustomFormsTest, OneWorkItemAndIntegers) {
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

TEST_F(CustomFormsTest, AGroupThatDoesNotDivideIsTheDriversWhereNobodyAsks) {
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
TEST_F(CustomFormsTest, NoPassDropsMergesOrFusesItsLayers) {
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

TEST_F(CustomFormsTest, HalfIsComputedInF32) {
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

}  // namespace
}  // namespace dovetail::gpu
