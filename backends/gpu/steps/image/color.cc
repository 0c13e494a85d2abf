#include "dovetail/backends/gpu/steps/image/color.h"

#include <string>
#include <utility>

#include "absl/strings/str_replace.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/core/base/status.h"

namespace dovetail::gpu {
namespace {

// NaN becomes 0 in integers, as conversions that saturate have it.
std::string PixelFunction(ElementType type) {
  return type == ElementType::kU8
             ? "uchar to_pixel_u8(float x) {\n"
               "  return convert_uchar_sat(x + 0.5f);\n}\n"
             : "float to_pixel_f32(float x) {\n"
               "  return x < 0.0f ? 0.0f : x > 255.0f ? 255.0f : x;\n}\n";
}

// An item has a pixel; `red` is 0 or, for BGR, 2.
// Sums are rounded product by product, as the reference does it: a last bit may
// decide which integer is the nearest.
constexpr char kToRgb[] = R"({
#pragma OPENCL FP_CONTRACT OFF
const int area = height * width, n = i / area, at = i % area;
const int uv = n * uv_image + (at / width / 2 * (width / 2) +
                               at % width / 2) * step;
const float light = 1.164f * ((float)y_plane[n * y_image + at] - 16.0f);
const float u = (float)u_plane[u_begin + uv] - 128.0f;
const float v = (float)v_plane[v_begin + uv] - 128.0f;
out[3 * i + red] = $pixel(light + 1.596f * v);
out[3 * i + 1] = $pixel(light - 0.391f * u - 0.813f * v);
out[3 * i + 2 - red] = $pixel(light + 2.018f * u);
})";

constexpr char kWeigh[] = R"($type nv12_$type(
    __global const $type* pixel, int red, float4 w) {
  #pragma OPENCL FP_CONTRACT OFF
  return $pixel(w.x * (float)pixel[red] + w.y * (float)pixel[1] +
                w.z * (float)pixel[2 - red] + w.w);
}
)";

// An item has a square of four pixels.
constexpr char kToNv12[] = R"(
const int column = i % (width / 2), row = i / (width / 2) % (height / 2);
const int n = i / (width / 2) / (height / 2);
const float4 weights[] = {(float4)(0.257f, 0.504f, 0.098f, 16.0f),
                          (float4)(-0.148f, -0.291f, 0.439f, 128.0f),
                          (float4)(0.439f, -0.368f, -0.071f, 128.0f)};
float u = 0, v = 0;
for (int k = 0; k < 4; ++k) {
  const int at = (2 * row + k / 2) * width + 2 * column + k % 2;
  const __global $type* pixel = data + 3 * (n * height * width + at);
  y_plane[n * y_image + at] = nv12_$type(pixel, red, weights[0]);
  u += (float)nv12_$type(pixel, red, weights[1]);
  v += (float)nv12_$type(pixel, red, weights[2]);
}
__global $type* uv =
    uv_plane + n * uv_image + row * width + 2 * column;
uv[0] = $pixel(u / 4.0f);
uv[1] = $pixel(v / 4.0f);
)";

std::string WithType(const std::string& text, ElementType type) {
  return absl::StrReplaceAll(
      text,
      {{"$type", ClType(type)},
       {"$pixel", type == ElementType::kU8 ? "to_pixel_u8" : "to_pixel_f32"}});
}

bool IsTaken(ElementType type) {
  return type == ElementType::kU8 || type == ElementType::kF32;
}

// The planes Y, U and V in one, two or three inputs.
absl::Status AddPlanes(const Node& node, PlanBuilder& builder, Launch& launch) {
  const char* const names[] = {"y_plane", "u_plane", "v_plane"};
  for (int i = 0; i < 3; ++i) {
    const int input = i < node.input_count() ? i : node.input_count() - 1;
    DOVETAIL_ASSIGN_OR_RETURN(const Operand plane,
                              builder.ReadPlain(node.input(input)));
    AddInput(launch, names[i], ClType(node.port().type), plane);
  }
  return absl::OkStatus();
}

void AddPlaces(const Node& node, int64_t area, Launch& launch) {
  const bool packed = node.Is("NV12toRGB") || node.Is("NV12toBGR");
  const bool single = node.input_count() == 1;
  const int64_t u = single ? area : 0;
  const int64_t step = packed ? 2 : 1;
  AddInt(launch, "step", step);
  AddInt(launch, "u_begin", u);
  AddInt(launch, "v_begin", packed ? u + 1 : single ? u + area / 4 : 0);
  AddInt(launch, "y_image", single ? area / 2 * 3 : area);
  AddInt(launch, "uv_image", single ? area / 2 * 3 : area / 4 * step);
}

}  // namespace

absl::StatusOr<bool> EmitYuvToRgb(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.port().type;
  if (!IsTaken(type)) return false;
  const Value output = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(output);
  Launch launch;
  DOVETAIL_RETURN_IF_ERROR(AddPlanes(node, builder, launch));
  AddOutput(launch, "out", ClType(type), builder.WritePlain(output));
  AddInt(launch, "height", shape[1]);
  AddInt(launch, "width", shape[2]);
  AddInt(launch, "red", node.Is("NV12toBGR") || node.Is("I420toBGR") ? 2 : 0);
  AddPlaces(node, shape[1] * shape[2], launch);
  launch.writer.Helper(PixelFunction(type));
  AddItems(launch, builder, shape.Count(0, 3));
  launch.writer.Body(WithType(kToRgb, type));
  launch.kernel = KernelName("yuv_to_rgb", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitRgbToNv12(const Node& node, PlanBuilder& builder) {
  const ElementType type = node.port().type;
  if (!IsTaken(type)) return false;
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const int64_t area = shape[1] * shape[2];
  const bool single = node.output_count() == 1;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  Launch launch;
  AddInput(launch, "data", ClType(type), data);
  AddOutput(launch, "y_plane", ClType(type),
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  if (!single) {
    AddOutput(launch, "uv_plane", ClType(type),
              builder.WritePlain(PlanBuilder::OutputOf(node, 1)));
  }
  AddInt(launch, "height", shape[1]);
  AddInt(launch, "width", shape[2]);
  AddInt(launch, "red", node.Is("BGRtoNV12") ? 2 : 0);
  AddInt(launch, "y_image", single ? area / 2 * 3 : area);
  AddInt(launch, "uv_image", single ? area / 2 * 3 : area / 2);
  AddItems(launch, builder, shape[0] * area / 4);
  launch.writer.Helper(PixelFunction(type));
  launch.writer.Helper(WithType(kWeigh, type));
  if (single) {
    launch.writer.Body(WithType(
        "__global $type* uv_plane = y_plane + height * width;\n", type));
  }
  launch.writer.Body(WithType(kToNv12, type));
  launch.kernel =
      KernelName(single ? "rgb_to_nv12" : "rgb_to_nv12_planes", type);
  builder.AddLaunch(node, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
