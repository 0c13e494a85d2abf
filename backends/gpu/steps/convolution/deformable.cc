#include "dovetail/backends/gpu/steps/convolution/deformable.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/common/window_arguments.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/convolution/deformable_convolution.h"

namespace dovetail::gpu {
namespace {

// Output channels of an item, which share its samples. In kDeformed, too.
constexpr int kBlock = 16;

// Places are rounded step by step, as the reference does it: they decide what
// is inside.
constexpr char kSample[] = R"(
float deformed_at(__global const float* plane, int height, int width, int y,
                  int x) {
  return y >= 0 && y < height && x >= 0 && x < width ? plane[y * width + x]
                                                     : 0.0f;
}
float deformed_sample(__global const float* plane, int height, int width,
                      float y, float x, int blend) {
#pragma OPENCL FP_CONTRACT OFF
  if (!(blend ? y > -1 && x > -1 : y >= 0 && x >= 0) || !(y < (float)height) ||
      !(x < (float)width))
    return 0.0f;
  const int top = (int)floor(y), left = (int)floor(x);
  const int bottom = blend ? top + 1 : min(top + 1, height - 1);
  const int right = blend ? left + 1 : min(left + 1, width - 1);
  const float down = y - (float)top, along = x - (float)left;
  return (1 - down) *
             ((1 - along) * deformed_at(plane, height, width, top, left) +
              along * deformed_at(plane, height, width, top, right)) +
         down * ((1 - along) * deformed_at(plane, height, width, bottom, left) +
                 along * deformed_at(plane, height, width, bottom, right));
}
)";

// An item has a place of the output and some channels of a group.
constexpr char kDeformed[] = R"({
#pragma OPENCL FP_CONTRACT OFF
const int positions = positions_y * positions_x, position = i % positions;
const int oy = position / positions_x, ox = position % positions_x;
const int block = i / positions % blocks, n = i / positions / blocks / groups;
const int group = i / positions / blocks % groups;
const int count = min(16, group_outputs - block * 16);
const int first = group * group_outputs + block * 16;
const int taps = window_y * window_x;
float sums[16];
for (int k = 0; k < 16; ++k) sums[k] = 0;
for (int c = 0; c < group_inputs; ++c) {
  const int channel = group * group_inputs + c;
  const __global float* plane =
      data + (n * groups * group_inputs + channel) * extent_y * extent_x;
  const int mover = (n * offset_groups + channel / offset_inputs) * taps;
  for (int tap = 0; tap < taps; ++tap) {
    const __global float* offset =
        offsets + (mover + tap) * 2 * positions + position;
    const long from_y = (long)oy * stride_y - pad_y +
                        (long)(tap / window_x) * dilation_y;
    const long from_x = (long)ox * stride_x - pad_x +
                        (long)(tap % window_x) * dilation_x;
    const float y = offset[0] + (float)from_y;
    const float x = offset[positions] + (float)from_x;
    float sample = deformed_sample(plane, extent_y, extent_x, y, x, blend);
    if (masked) sample *= mask[(mover + tap) * positions + position];
    const __global float* weight =
        kernel_ + (first * group_inputs + c) * taps + tap;
    for (int k = 0; k < count; ++k)
      sums[k] += sample * weight[k * group_inputs * taps];
  }
}
for (int k = 0; k < count; ++k)
  out[(n * groups * group_outputs + first + k) * positions + position] =
      sums[k];
})";

absl::Status AddOperands(const Node& node, PlanBuilder& builder,
                         Launch& launch) {
  const char* const names[] = {"data", "offsets", "kernel_", "mask"};
  for (int i = 0; i < node.input_count(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.ReadPlain(node.input(i)));
    AddInput(launch, names[i], "float", operand);
  }
  AddOutput(launch, "out", "float",
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  return absl::OkStatus();
}

// Returns the number of blocks of channels that a group has.
int64_t AddGroups(const Node& node, Launch& launch) {
  const auto& attributes = DeformableAttributesOf(node);
  const int64_t channels = PlanBuilder::ShapeOf(node.input(0))[1];
  const int64_t outputs = PlanBuilder::ShapeOf(node.input(2))[0];
  const int64_t blocks = CeilDivide(outputs / attributes.group, kBlock);
  AddInt(launch, "groups", attributes.group);
  AddInt(launch, "group_inputs", channels / attributes.group);
  AddInt(launch, "group_outputs", outputs / attributes.group);
  AddInt(launch, "offset_groups", attributes.deformable_group);
  AddInt(launch, "offset_inputs", channels / attributes.deformable_group);
  AddInt(launch, "blocks", blocks);
  return blocks;
}

}  // namespace

absl::StatusOr<bool> EmitDeformableConvolution(const Node& node,
                                               PlanBuilder& builder) {
  const auto& attributes = DeformableAttributesOf(node);
  const auto* newer = node.As<DeformableConvolution8Attributes>();
  const bool masked = node.input_count() > 3;
  const WindowAxes axes =
      PlaneWindows(attributes.window, PlanBuilder::ShapeOf(node.input(0)),
                   PlanBuilder::ShapeOf(node.input(2)),
                   PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)));
  if (node.port().type != ElementType::kF32 || !FitInts(axes)) return false;
  Launch launch;
  DOVETAIL_RETURN_IF_ERROR(AddOperands(node, builder, launch));
  const int64_t blocks = AddGroups(node, launch);
  AddWindows(launch, axes);
  AddInt(launch, "masked", masked ? 1 : 0);
  AddInt(launch, "blend",
         newer != nullptr && newer->bilinear_interpolation_pad ? 1 : 0);
  AddItems(launch, builder,
           PlanBuilder::ShapeOf(node.input(0))[0] * attributes.group * blocks *
               axes[0].output * axes[1].output);
  launch.writer.Helper(kSample);
  if (!masked) launch.writer.Body("const __global float* mask = data;\n");
  launch.writer.Body(kDeformed);
  launch.kernel =
      absl::StrCat("deformable_convolution", masked ? "_masked" : "", "_f32");
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
