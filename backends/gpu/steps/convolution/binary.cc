#include "dovetail/backends/gpu/steps/convolution/binary.h"

#include <utility>

#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/common/window_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/convolution/binary_convolution.h"

namespace dovetail::gpu {
namespace {

// An item has an element of the output. The first bit of a byte of the kernel
// is its lowest.
constexpr char kBinary[] = R"(
const int ox = i % positions_x, oy = i / positions_x % positions_y;
const int o = i / positions_x / positions_y % outputs;
const int n = i / positions_x / positions_y / outputs;
int inside = 0, outside = 0;
int bit = o * channels * window_y * window_x;
for (int c = 0; c < channels; ++c) {
  const __global float* plane =
      data + (n * channels + c) * extent_y * extent_x;
  for (int ky = 0; ky < window_y; ++ky) {
    const long y = (long)oy * stride_y - pad_y + (long)ky * dilation_y;
    for (int kx = 0; kx < window_x; ++kx, ++bit) {
      const long x = (long)ox * stride_x - pad_x + (long)kx * dilation_x;
      const int is_one = bits[bit / 8] >> bit % 8 & 1;
      if (y >= 0 && y < extent_y && x >= 0 && x < extent_x) {
        inside += (plane[y * extent_x + x] > 0) == is_one ? 1 : -1;
      } else {
        outside += is_one ? 1 : -1;
      }
    }
  }
}
out[i] = (float)inside + pad_value * (float)outside;
)";

}  // namespace

absl::StatusOr<bool> EmitBinaryConvolution(const Node& node,
                                           PlanBuilder& builder) {
  const auto& attributes = *node.As<BinaryConvolutionAttributes>();
  const Tensor* kernel = PlanBuilder::ConstantOf(node.input(1));
  const Value output = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape result = PlanBuilder::ShapeOf(output);
  const WindowAxes axes = PlaneWindows(
      attributes.window, shape, PlanBuilder::ShapeOf(node.input(1)), result);
  if (kernel == nullptr || node.port().type != ElementType::kF32 ||
      !FitInts(axes)) {
    return false;
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  Launch launch;
  AddInput(launch, "data", "float", data);
  AddInput(launch, "bits", "uchar", builder.AddConstant(*kernel));
  AddOutput(launch, "out", "float", builder.WritePlain(output));
  AddInt(launch, "channels", shape[1]);
  AddInt(launch, "outputs", result[1]);
  AddWindows(launch, axes);
  AddScalar(launch, "pad_value", static_cast<float>(attributes.pad_value));
  AddItems(launch, builder, result.Count(0, 4));
  launch.writer.Body(kBinary);
  launch.kernel = "binary_convolution_f32";
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
