#include "dovetail/backends/gpu/steps/image/patches.h"

#include <utility>

#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/common/window_arguments.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/window.h"
#include "dovetail/core/ops/image/patches/col2im.h"
#include "dovetail/core/ops/image/patches/extract_image_patches.h"

namespace dovetail::gpu {
namespace {

// Places are of 64 bits: strides and dilations may lead far outside.
constexpr char kExtract[] = R"(
const int column = i % positions_x, row = i / positions_x % positions_y;
const int plane = i / positions_x / positions_y;
const int element = plane / channels % (window_y * window_x);
const int n = plane / channels / (window_y * window_x);
const long y = (long)row * stride_y - pad_y +
               (long)(element / window_x) * dilation_y;
const long x = (long)column * stride_x - pad_x +
               (long)(element % window_x) * dilation_x;
const int inside = y >= 0 && y < extent_y && x >= 0 && x < extent_x;
const int from = n * channels + plane % channels;
out[i] = inside ? data[((long)from * extent_y + y) * extent_x + x] : 0;
)";

// An item has a pixel, to which each element of a patch brings at most one.
constexpr char kSum[] = R"(
const int x = i % extent_x, y = i / extent_x % extent_y;
const int plane = i / extent_x / extent_y;
const __global $type* in =
    data + plane * window_y * window_x * positions_y * positions_x;
$type sum = 0;
for (int ky = 0; ky < window_y; ++ky) {
  const long down = (long)y + pad_y - (long)ky * dilation_y;
  const long row = down / stride_y;
  if (down < 0 || down % stride_y != 0 || row >= positions_y) continue;
  for (int kx = 0; kx < window_x; ++kx) {
    const long across = (long)x + pad_x - (long)kx * dilation_x;
    const long column = across / stride_x;
    if (across < 0 || across % stride_x != 0 || column >= positions_x)
      continue;
    sum += in[((ky * window_x + kx) * positions_y + row) * positions_x +
              column];
  }
}
out[i] = sum;
)";

// Windows over Col2Im's image, of the extents that the constant has.
WindowAxes Col2ImAxes(const Node& node, const Tensor& extents) {
  const SlidingWindow& window = node.As<Col2ImAttributes>()->window;
  const Shape image = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  WindowAxes axes;
  for (int i = 0; i < 2; ++i) {
    WindowAxis& axis = axes[i];
    axis = ResolveWindow(window, i, image[image.rank() - 2 + i],
                         extents.ElementAsInt64(i), 0);
    axis.output = (axis.input + axis.pad_begin + axis.pad_end - axis.span()) /
                      axis.stride +
                  1;
  }
  return axes;
}

}  // namespace

absl::StatusOr<bool> EmitExtractImagePatches(const Node& node,
                                             PlanBuilder& builder) {
  const ElementType type = node.port().type;
  const auto& attributes = *node.As<ExtractImagePatchesAttributes>();
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  const WindowAxes axes = {ResolveWindow(attributes.window, 0, shape[2],
                                         attributes.sizes[0], result[2]),
                           ResolveWindow(attributes.window, 1, shape[3],
                                         attributes.sizes[1], result[3])};
  if (!HasClType(type) || !FitInts(axes)) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  Launch launch;
  AddInput(launch, "data", ClMoved(type), data);
  AddOutput(launch, "out", ClMoved(type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  AddInt(launch, "channels", shape[1]);
  AddWindows(launch, axes);
  AddItems(launch, builder, result.Count(0, 4));
  launch.writer.Body(kExtract);
  launch.kernel = KernelName("extract_patches", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitCol2Im(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.port().type;
  const Tensor* extents = PlanBuilder::ConstantOf(node.input(2));
  if (extents == nullptr ||
      (type != ElementType::kF32 && type != ElementType::kI32 &&
       type != ElementType::kI64)) {
    return false;
  }
  const WindowAxes axes = Col2ImAxes(node, *extents);
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  if (!FitInts(axes)) return false;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  Launch launch;
  AddInput(launch, "data", ClType(type), data);
  AddOutput(launch, "out", ClType(type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  AddWindows(launch, axes);
  AddItems(launch, builder, result.Count(0, result.rank()));
  launch.writer.Body(absl::StrReplaceAll(kSum, {{"$type", ClType(type)}}));
  launch.kernel = KernelName("col2im", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
