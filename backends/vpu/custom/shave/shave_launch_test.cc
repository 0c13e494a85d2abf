// Kernels run group by group; bytes are those counted by hand.
#include "dovetail/backends/vpu/custom/shave/shave_launch.h"

#include <algorithm>

#include "absl/status/status.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/types/narrow_float.h"
#include "dovetail/extensions/custom_kernels/shave/reader.h"
#include "dovetail/testing/graphs/small_models.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace dovetail::vpu {
namespace {

using ::testing::HasSubstr;

// Two inputs and an output of [2, 3, 4, 5], and an attribute.
constexpr char kModel[] = R"(
  %x = Parameter-0() {shape: [2,3,4,5], element_type: f16}  # x
  %y = Softmax-8(%x) {axis: 1}  # layer
  %0 = Result-0(%y) {}  # out
)";
constexpr int64_t kCount = 2 * 3 * 4 * 5;

struct Outcome {
  absl::Status status;
  std::vector<float> values;
  GroupWork all;  // of all groups of all kernels
};

// `kernels` is what stands in <CustomLayer>; input k is k / 4.
Outcome RunLayer(const std::string& kernels, const std::string& source,
                 int64_t watchdog_ms = 60000) {
  const auto run = [&](Outcome& outcome) -> absl::Status {
    const Model model = ModelOf(kModel);
    const Node* node = nullptr;
    for (const auto& one : model.nodes()) {
      if (one->name() == "layer") node = one.get();
    }
    DOVETAIL_ASSIGN_OR_RETURN(
        const std::vector<ShaveLayer> layers,
        ParseShaveLayers("<CustomLayer name=\"Softmax\" type=\"MVCL\" "
                         "version=\"1\">" +
                             kernels + "</CustomLayer>",
                         "k.xml", {{"k.cl", source}}));
    std::vector<ShaveStage> stages;
    for (const ShaveKernel& kernel : layers[0].kernels) {
      ShaveStage stage;
      stage.name = stage.entry = kernel.entry;
      DOVETAIL_ASSIGN_OR_RETURN(stage.program, ShaveProgram::Build(kernel));
      DOVETAIL_ASSIGN_OR_RETURN(
          stage.kernel, Resolve(kernel, stage.program->parameters(), *node));
      stages.push_back(std::move(stage));
    }
    DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<ShaveLaunch> launch,
                              ShaveLaunch::New(stages));
    std::vector<uint16_t> in(kCount), out(kCount);
    for (int64_t i = 0; i < kCount; ++i) {
      in[i] = FloatToF16Bits(static_cast<float>(i) / 4);
    }
    void* const inputs[] = {in.data()};
    void* const outputs[] = {out.data()};
    DOVETAIL_RETURN_IF_ERROR(launch->Run(inputs, outputs, watchdog_ms));
    for (const uint16_t bits : out) outcome.values.push_back(F16BitsToFloat(bits));
    for (size_t i = 0; i < stages.size(); ++i) {
      for (const GroupWork& group : launch->Counts(i)) {
        outcome.all.operations += group.operations;
        outcome.all.in_bytes += group.in_bytes;
        outcome.all.out_bytes += group.out_bytes;
        outcome.all.pieces += group.pieces;
      }
    }
    return absl::OkStatus();
  };
  Outcome outcome;
  outcome.status = run(outcome);
  return outcome;
}

class ShaveLaunchTest : public testing::Test {
 protected:
  void SetUp() override {
    ShaveKernel empty;
    empty.entry = "f";
    empty.sources = {{"f.cl", "kernel void f() {}", {}}};
    const auto program = ShaveProgram::Build(empty);
    if (absl::IsUnavailable(program.status())) {
      GTEST_SKIP() << program.status().message();
    }
    ASSERT_TRUE(program.ok()) << program.status();
  }
};

constexpr char kTensors[] =
    "<Tensor arg-name=\"in\" type=\"input\" port-index=\"0\"/>"
    "<Tensor arg-name=\"out\" type=\"output\" port-index=\"0\"/>";

std::string Kernel(const std::string& attributes, const std::string& parameters,
                   const std::string& sizes) {
  return "<Kernel " + attributes + "><Source filename=\"k.cl\"/><Parameters>" +
         parameters + "</Parameters><WorkSizes dim=\"input,0\" " + sizes +
         "/></Kernel>";
}

TEST_F(ShaveLaunchTest, ArithmeticIsOfHalf) {
  const Outcome outcome = RunLayer(
      Kernel("entry=\"f\"",
             std::string(kTensors) +
                 "<Scalar arg-name=\"w\" type=\"int\" source=\"I.X\" "
                 "port-index=\"0\"/>"
                 "<Scalar arg-name=\"axis\" type=\"int\" source=\"axis\"/>"
                 "<Scalar arg-name=\"big\" type=\"float\" "
                 "source=\"2048\"/>",
             "global=\"X,Y,F\" local=\"X,1,1\""),
      R"(
kernel void f(global const half* in, global half* out, int w, int axis,
              float big) {
  const int at = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * w +
                 get_local_id(0);
  // 2048 + 1 is 2048 in half precision.
  half sum = (half)big + (half)1;
  out[at] = in[at] * (half)2 + (sum - (half)big) + (half)axis;
})");
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  for (int64_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(outcome.values[i], static_cast<float>(i) / 2 + 1);
  }
  EXPECT_EQ(outcome.all.in_bytes + outcome.all.out_bytes, 0);
  // Of each item 4 for `at`, 1 for `sum` and 6 for the last line.
  EXPECT_EQ(outcome.all.operations, kCount * 11);
}

// Each group brings a row of 10 bytes in, and 10 out; 3 * 4 rows, 2 images.
TEST_F(ShaveLaunchTest, SideKernelsMoveRows) {
  const Outcome outcome = RunLayer(
      Kernel("entry=\"f\"",
             std::string(kTensors) +
                 "<Data arg-name=\"a\" type=\"local_data\" size=\"X*2\" "
                 "dim=\"input,0\"/>"
                 "<Data arg-name=\"b\" type=\"local_data\" size=\"X*2\" "
                 "dim=\"input,0\"/>"
                 "<Scalar arg-name=\"w\" type=\"int\" source=\"I.X\"/>",
             "global=\"1,Y,F\" local=\"1,1,1\""),
      R"(
#define ROW ((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * w)
kernel void __dma_preload_f(global half* in, global half* out, local half* a,
                            local half* b, int w) {
  WorkGroupDmaCreateStrideTransaction(in + ROW, a, w * sizeof(half),
                                      w * sizeof(half), w * sizeof(half),
                                      w * sizeof(half), w * sizeof(half), 0);
}
kernel void __dma_postwrite_f(global half* in, global half* out, local half* a,
                              local half* b, int w) {
  WorkGroupDmaCreateStrideTransaction(b, out + ROW, w * sizeof(half),
                                      w * sizeof(half), w * sizeof(half),
                                      w * sizeof(half), w * sizeof(half), 0);
}
kernel void f(global half* in, global half* out, local half* a, local half* b,
              int w) {
  for (int i = 0; i < w; ++i) b[i] = a[w - 1 - i];
})");
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  for (int64_t i = 0; i < kCount; ++i) {
    const int64_t mirrored = i / 5 * 5 + 4 - i % 5;
    EXPECT_EQ(outcome.values[i], static_cast<float>(mirrored) / 4);
  }
  EXPECT_EQ(outcome.all.in_bytes, 2 * 3 * 4 * 10);
  EXPECT_EQ(outcome.all.out_bytes, 2 * 3 * 4 * 10);
  EXPECT_EQ(outcome.all.pieces, 2 * 3 * 4 * 2);
}

// The mean of each row by one kernel, subtracted by another.
TEST_F(ShaveLaunchTest, KernelsShareBuffers) {
  const std::string kernels =
      Kernel("entry=\"subtract\" stage=\"1\"",
             std::string(kTensors) +
                 "<Tensor arg-name=\"means\" type=\"input_buffer\" "
                 "port-index=\"3\"/>"
                 "<Scalar arg-name=\"w\" type=\"int\" source=\"I.X\"/>",
             "global=\"X,Y,F\" local=\"X,1,1\"") +
      Kernel("entry=\"mean\" stage=\"0\"",
             "<Tensor arg-name=\"in\" type=\"input\" port-index=\"0\"/>"
             "<Tensor arg-name=\"means\" type=\"output_buffer\" "
             "port-index=\"3\" size=\"Y*F*4\" dim=\"input,0\"/>"
             "<Scalar arg-name=\"w\" type=\"int\" source=\"I.X\"/>",
             "global=\"Y,F\" local=\"1,1\"");
  const Outcome outcome = RunLayer(kernels, R"(
kernel void mean(global const half* in, global float* means, int w) {
  const int row = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float sum = 0;
  for (int i = 0; i < w; ++i) sum += (float)in[row * w + i];
  means[row] = sum / w;
}
kernel void subtract(global const half* in, global half* out,
                     global const float* means, int w) {
  const int row = get_group_id(2) * get_num_groups(1) + get_group_id(1);
  const int at = row * w + get_local_id(0);
  out[at] = in[at] - (half)means[row];
})");
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  for (int64_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(outcome.values[i], static_cast<float>(i % 5 - 2) / 4) << i;
  }
}

TEST_F(ShaveLaunchTest, ChannelsMayBeLast) {
  const Outcome outcome = RunLayer(
      Kernel("entry=\"f\"",
             "<Tensor arg-name=\"in\" type=\"input\" port-index=\"0\" "
             "format=\"BYXF\"/>"
             "<Tensor arg-name=\"out\" type=\"output\" port-index=\"0\" "
             "format=\"BFYX\"/>"
             "<Scalar arg-name=\"channels\" type=\"int\" source=\"I.F\"/>",
             "global=\"X*Y,F\" local=\"1,1\""),
      R"(
kernel void f(global const half* in, global half* out, int channels) {
  const int pixel = get_global_id(0), c = get_global_id(1);
  out[c * get_global_size(0) + pixel] = in[pixel * channels + c];
})");
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  for (int64_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(outcome.values[i], static_cast<float>(i) / 4);
  }
}

// Copies of a group, and of an item to its own memory.
TEST_F(ShaveLaunchTest, CopiesInAKernelCount) {
  const Outcome outcome = RunLayer(
      Kernel("entry=\"f\"",
             std::string(kTensors) +
                 "<Scalar arg-name=\"w\" type=\"int\" source=\"I.X\"/>",
             "global=\"X,Y,F\" local=\"X,Y,1\""),
      R"(
kernel void f(global const half* in, global half* out, int w) {
  local half plane[20];
  half own[20];
  const int first = get_group_id(2) * 20;
  // Rows of 5, one behind another.
  event_t event =
      async_work_group_copy_2D2D(plane, in + first, 5, 4, 0, 0, 0);
  wait_group_events(1, &event);
  const int at = get_local_id(1) * w + get_local_id(0);
  if (at == 0) {
    WorkItemDmaEvent done = WorkItemDmaCreateStrideTransaction(
        in + first, own, 10, 10, 10, 10, 40, 0);
    WaitWorkItemDmaEvents(1, &done);
    plane[0] = own[0];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[first + at] = max(plane[at], (half)3);
})");
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  for (int64_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(outcome.values[i], std::max(static_cast<float>(i) / 4, 3.0f));
  }
  EXPECT_EQ(outcome.all.in_bytes, 2 * 3 * (40 + 40));
  EXPECT_EQ(outcome.all.out_bytes, 0);
  EXPECT_EQ(outcome.all.pieces, 2 * 3 * 2);
}

TEST_F(ShaveLaunchTest, ErrorsSayWhatIsWrong) {
  const auto error = [](const std::string& parameters, const std::string& sizes,
                        const std::string& source) {
    return std::string(
        RunLayer(Kernel("entry=\"f\"", parameters, sizes), source)
            .status.message());
  };
  const std::string sizes = "global=\"X,Y,F\" local=\"1,1,1\"";
  const std::string source =
      "kernel void f(global half* in, global half* out) {}";
  EXPECT_THAT(error(kTensors, sizes, "kernel void g() {}"),
              HasSubstr("no source has a function 'void f(...)'"));
  EXPECT_THAT(error(kTensors, sizes,
                    "kernel void f(global half* in, global half* out) {\n"
                    "  out[0] = nothing;\n}"),
              HasSubstr("k.cl:2"));
  EXPECT_THAT(error("", sizes, source), HasSubstr("no arg-name=\"in\""));
  EXPECT_THAT(
      error(std::string(kTensors) +
                "<Scalar arg-name=\"w\" type=\"int\" source=\"1\"/>",
            sizes, source),
      HasSubstr("k.xml:1: arg-name=\"w\": kernel f has no parameter"));
  EXPECT_THAT(error(std::string(kTensors) +
                        "<Scalar arg-name=\"w\" type=\"int\" "
                        "source=\"size\"/>",
                    sizes, "void f(global half* in, global half* out, int w) "
                           "{}"),
              HasSubstr("source=\"size\" is no attribute"));
  EXPECT_THAT(error(kTensors, "global=\"X-5\" local=\"1\"", source),
              HasSubstr("'X-5' is 0, want 1"));
  EXPECT_THAT(error(kTensors, "global=\"X/Q\" local=\"1\"", source),
              HasSubstr("'X/Q', character 3"));
  EXPECT_THAT(error(kTensors, "global=\"X\" local=\"X+1\"", source),
              HasSubstr("5 work items do not fill a group of 6"));
  EXPECT_THAT(
      error(std::string(kTensors) +
                "<Data arg-name=\"a\" type=\"local_data\" "
                "size=\"X*40000\" dim=\"input,0\"/>",
            sizes, "void f(global half* in, global half* out, local half* a) "
                   "{}"),
      HasSubstr("200000 bytes of local memory; a SHAVE has 102400"));
  EXPECT_THAT(
      error("<Tensor arg-name=\"in\" type=\"input\" port-index=\"2\"/>",
            sizes, source),
      HasSubstr("the layer has 1 inputs, none is 2"));
}

// Lines of 4 bytes every 10 become one piece; planes of two lines each.
TEST_F(ShaveLaunchTest, LinesAndPlanesMayHaveGaps) {
  const Outcome outcome = RunLayer(
      Kernel("entry=\"f\"", kTensors, "global=\"1,1,F\" local=\"1,1,1\""),
      R"(
kernel void f(global const half* in, global half* out) {
  half own[4], both[4];
  in += get_group_id(2) * 20;
  out += get_group_id(2) * 20;
  WorkItemDmaCreateStrideTransaction(in, own, 4, 8, 10, 8, 8, 0);
  WorkGroupDmaCreate3DTransaction(in, both, 2, 4, 10, 4, 2, 20, 4, 4, 0);
  for (int i = 0; i < 20; ++i) out[i] = 0;
  for (int i = 0; i < 4; ++i) out[i] = own[i];
  for (int i = 0; i < 4; ++i) out[4 + i] = both[i];
})");
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  const float first[] = {0, 1, 5, 6, 0, 5, 10, 15};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(outcome.values[i], first[i] / 4) << i;
  // Two lines; two planes of two lines.
  EXPECT_EQ(outcome.all.pieces, 2 * 3 * (2 + 4));
  EXPECT_EQ(outcome.all.in_bytes, 2 * 3 * (8 + 8));
}

TEST_F(ShaveLaunchTest, TransfersThatNobodyCanDoAreRefused) {
  const Outcome outcome = RunLayer(
      Kernel("entry=\"f\"", kTensors, "global=\"1\" local=\"1\""), R"(
kernel void f(global const half* in, global half* out) {
  WorkItemDmaCreateTransaction(in, out, -1, 0);
})");
  EXPECT_EQ(outcome.status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(outcome.status.message(), HasSubstr("f: a DMA transfer has"));
}

// What a kernel of one work item with this text comes to.
Outcome RunText(const std::string& text, int64_t watchdog_ms = 60000) {
  return RunLayer(
      Kernel("entry=\"f\"",
             std::string(kTensors) +
                 "<Scalar arg-name=\"zero\" type=\"int\" source=\"0\"/>",
             "global=\"1\" local=\"1\""),
      "kernel void f(global volatile half* in, global volatile half* out, "
      "int zero) {\n" +
          text + "\n}",
      watchdog_ms);
}

TEST_F(ShaveLaunchTest, AKernelThatLoopsForEverIsStopped) {
  // The other one calls nothing that could tell it.
  for (const char* const text :
       {"while (in[0] == 0) in[1] = in[1] + (half)1;",
        "again: if (in[0] == 0) goto again;"}) {
    const Outcome outcome = RunText(text, /*watchdog_ms=*/3000);
    EXPECT_EQ(outcome.status.code(), absl::StatusCode::kDeadlineExceeded);
    EXPECT_THAT(outcome.status.message(),
                HasSubstr("f: it ran longer than MYRIAD_WATCHDOG=3000 ms"));
  }
}

// An image has 60 numbers of 2 bytes.
TEST_F(ShaveLaunchTest, WhatAKernelDoesOutsideOfItsArgumentsIsAnError) {
  const struct {
    const char* text;
    const char* message;
  } cases[] = {
      {"out[-1] = 1;", "f: it writes outside of its arguments: byte -2 of "
                       "'out', which has 120 bytes"},
      {"out[60] = 1;", "it writes outside of its arguments: byte 121 of 'out'"},
      {"out[1000 + zero] = 1;",
       "it writes outside of its arguments: byte 2000 of 'out'"},
      {"in[-100000 + zero] = 1;",
       "it writes outside of its arguments: byte -200000 of 'in'"},
      {"out[0x7fffffff - zero] = 1;",
       "it writes outside of its arguments: byte 4294967294 of 'out'"},
      {"out[zero - 0x7fffffff] = 1;", "byte -4294967294 of 'out'"},
      {"out[0] = in[1 << (29 + zero)];",
       "it reads outside of its arguments: byte 1073741824 of 'in'"},
      {"*(global volatile int*)(size_t)zero = 1;",
       "it writes through a null pointer"},
      {"*(global volatile int*)((size_t)0x8000000000000000 + zero) = 1;",
       "it reads memory that is none of its arguments"},
      {"out[0] = 7 / zero;", "it divides an integer by zero"},
      {"__builtin_trap();", "it ends its process: signal 4"},
  };
  for (const auto& one : cases) {
    const Outcome outcome = RunText(one.text);
    EXPECT_EQ(outcome.status.code(), absl::StatusCode::kInvalidArgument)
        << one.text << ": " << outcome.status;
    EXPECT_THAT(std::string(outcome.status.message()), HasSubstr(one.message));
  }
  // Another launch has a process that has seen nothing of all that.
  EXPECT_EQ(RunText("for (int i = 0; i < 60; ++i) out[i] = in[i];").status,
            absl::OkStatus());
}

}  // namespace
}  // namespace dovetail::vpu
