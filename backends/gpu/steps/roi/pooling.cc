#include "dovetail/backends/gpu/steps/roi/pooling.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/roi/sample_text.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/roi/roi_pooling.h"

namespace dovetail::gpu {
namespace {

// An item has a bin of a region, of all channels. A region with image -1 ends
// the list.
constexpr char kItem[] = R"({
#pragma OPENCL FP_CONTRACT OFF
const int bins = pooled_h * pooled_w, r = i / bins, bin = i % bins;
const int row = bin / pooled_w, column = bin % pooled_w;
const int area = height * width;
__global float* to = out + r * outputs * bins + bin;
const __global float* roi = rois + 5 * r;
int listed = 1;
for (int k = 0; listed && k <= r; ++k) listed = rois[5 * k] != -1;
if (!(listed && roi[0] >= 0 && roi[0] < (float)batch)) {
  if (listed) report_fault(faults, convert_long_sat(roi[0]), batch);
  for (int c = 0; c < outputs; ++c) to[c * bins] = 0;
  return;
}
const __global float* planes = features + (int)roi[0] * channels * area;
)";

constexpr char kMax[] = R"(
const float left = round(roi[1] * scale), right = round(roi[3] * scale);
const float top = round(roi[2] * scale), bottom = round(roi[4] * scale);
const float across = right - left + 1 < 1.0f ? 1.0f : right - left + 1;
const float down = bottom - top + 1 < 1.0f ? 1.0f : bottom - top + 1;
const float step_x = across / (float)pooled_w, step_y = down / (float)pooled_h;
const int x0 = roi_clamp(floor((float)column * step_x) + left, 0, width);
const int x1 = roi_clamp(ceil((float)(column + 1) * step_x) + left, 0, width);
const int y0 = roi_clamp(floor((float)row * step_y) + top, 0, height);
const int y1 = roi_clamp(ceil((float)(row + 1) * step_y) + top, 0, height);
for (int c = 0; c < outputs; ++c) {
  float most = x0 < x1 && y0 < y1 ? -INFINITY : 0.0f;
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) {
      const float value = planes[c * area + y * width + x];
      most = most < value ? value : most;
    }
  }
  to[c * bins] = most;
}
})";

// The last point is not reached step by step, which could put it outside.
constexpr char kPoint[] = R"(
float roi_point(float first, float last, int bin, int bins, int extent) {
#pragma OPENCL FP_CONTRACT OFF
  const float length = (float)(extent - 1);
  if (bins == 1) return 0.5f * (first + last) * length;
  if (bin == bins - 1) return last * length;
  return first * length +
         (float)bin * ((last - first) * length / (float)(bins - 1));
}
int roi_inside(float position, int extent) {
  return position >= 0 && position <= (float)(extent - 1);
}
)";

constexpr char kBilinear[] = R"(
const float x = roi_point(roi[1], roi[3], column, pooled_w, width);
const float y = roi_point(roi[2], roi[4], row, pooled_h, height);
const int inside = roi_inside(x, width) && roi_inside(y, height);
for (int c = 0; c < outputs; ++c)
  to[c * bins] =
      inside ? roi_sample(planes + c * area, height, width, y, x) : 0.0f;
})";

constexpr char kAverage[] = R"(
const float left = round(roi[1]) * scale, top = round(roi[2]) * scale;
const float across = (round(roi[3]) + 1) * scale - left;
const float down = (round(roi[4]) + 1) * scale - top;
const float step_x = (across < 0.1f ? 0.1f : across) / (float)pooled_w;
const float step_y = (down < 0.1f ? 0.1f : down) / (float)pooled_h;
const int x0 = roi_clamp(floor((float)column * step_x + left), 0, width);
const int x1 = roi_clamp(ceil((float)(column + 1) * step_x + left), 0, width);
const int y0 = roi_clamp(floor((float)row * step_y + top), 0, height);
const int y1 = roi_clamp(ceil((float)(row + 1) * step_y + top), 0, height);
const int filled = x0 < x1 && y0 < y1;
for (int c = 0; c < outputs; ++c) {
  float sum = 0;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x)
      sum += planes[(c * bins + bin) * area + y * width + x];
  to[c * bins] = filled ? sum / (float)((y1 - y0) * (x1 - x0)) : 0.0f;
}
})";

// Each part of a region has points from one of its sides to the other.
constexpr char kPart[] = R"(
float roi_part_point(float first, float last, int part, int parts, int bin,
                     int bins, int extent) {
#pragma OPENCL FP_CONTRACT OFF
  const float length = (float)(extent - 1);
  const float size = (last - first) / (float)parts;
  const float begin = first + (float)part * size, end = begin + size;
  if (bins == 1) return 0.5f * (begin + end) * length;
  return begin * length +
         (float)bin * ((end - begin) * length / (float)(bins - 1));
}
)";

constexpr char kParts[] = R"(
for (int c = 0; c < outputs; ++c) {
  float sum = 0;
  for (int part = 0; part < parts_y * parts_x; ++part) {
    const float y = roi_part_point(roi[2] * scale, roi[4] * scale,
                                   part / parts_x, parts_y, row, pooled_h,
                                   height);
    const float x = roi_part_point(roi[1] * scale, roi[3] * scale,
                                   part % parts_x, parts_x, column, pooled_w,
                                   width);
    if (!roi_inside(y, height) || !roi_inside(x, width)) continue;
    sum += roi_sample(planes + (part * outputs + c) * area, height, width, y,
                      x);
  }
  to[c * bins] = sum / (float)(parts_y * parts_x);
}
})";

constexpr char kDeformable[] = R"(
const float left = round(roi[1]) * scale - 0.5f;
const float top = round(roi[2]) * scale - 0.5f;
const float right = (round(roi[3]) + 1) * scale - 0.5f;
const float bottom = (round(roi[4]) + 1) * scale - 0.5f;
const float across = right - left < 0.1f ? 0.1f : right - left;
const float down = bottom - top < 0.1f ? 0.1f : bottom - top;
const float size_x = across / (float)pooled_w, size_y = down / (float)pooled_h;
const float step_x = size_x / (float)parts_x, step_y = size_y / (float)parts_y;
const float bin_x = (float)column * size_x + left;
const float bin_y = (float)row * size_y + top;
for (int c = 0; c < outputs; ++c) {
  float move_x = 0, move_y = 0;
  if (labels > 0) {
    const int label = c / (outputs / labels);
    const int at = ((r * labels + label) * 2 * cells + row * cells / pooled_h) *
                   cells + column * cells / pooled_w;
    move_x = offsets[at] * factor;
    move_y = offsets[at + cells * cells] * factor;
  }
  const float x0 = bin_x + move_x * across, y0 = bin_y + move_y * down;
  const __global float* plane = planes + (c * bins + bin) * area;
  float sum = 0;
  int count = 0;
  for (int k = 0; k < parts_y * parts_x; ++k) {
    const float y = y0 + (float)(k / parts_x) * step_y;
    const float x = x0 + (float)(k % parts_x) * step_x;
    if (!(y >= -0.5f && y <= (float)height - 0.5f && x >= -0.5f &&
          x <= (float)width - 0.5f))
      continue;
    sum += roi_sample(plane, height, width, y, x);
    ++count;
  }
  to[c * bins] = count > 0 ? sum / (float)count : 0.0f;
}
})";

// Features, regions and, where there are any, offsets; the output; extents.
absl::Status AddOperands(const Node& node, PlanBuilder& builder,
                         Launch& launch) {
  const char* const names[] = {"features", "rois", "offsets"};
  for (int i = 0; i < 3 && i < node.input_count(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.ReadPlain(node.input(i)));
    AddInput(launch, names[i], "float", operand);
  }
  const Value output = PlanBuilder::OutputOf(node);
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  const Shape result = PlanBuilder::ShapeOf(output);
  AddOutput(launch, "out", "float", builder.WritePlain(output));
  launch.writer.Faults();
  AddInt(launch, "batch", shape[0]);
  AddInt(launch, "channels", shape[1]);
  AddInt(launch, "height", shape[2]);
  AddInt(launch, "width", shape[3]);
  AddInt(launch, "outputs", result[1]);
  AddInt(launch, "pooled_h", result[2]);
  AddInt(launch, "pooled_w", result[3]);
  return absl::OkStatus();
}

bool AreFloats(const Node& node) {
  for (int i = 0; i < node.input_count(); ++i) {
    if (node.input(i).type() != ElementType::kF32) return false;
  }
  return true;
}

// The rest of a launch that has all its operands and numbers.
void AddPooling(const Node& node, PlanBuilder& builder, std::string kernel,
                absl::string_view text, Launch launch) {
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  AddItems(launch, builder, result[0] * result[2] * result[3]);
  AddSampleFunctions(launch);
  launch.writer.Body(absl::StrCat(kItem, text));
  launch.kernel = std::move(kernel);
  builder.AddLaunch(node, std::move(launch));
}

}  // namespace

absl::StatusOr<bool> EmitRoiPooling(const Node& node, PlanBuilder& builder) {
  if (!AreFloats(node)) return false;
  const auto& attributes = *node.As<RoiPoolingAttributes>();
  Launch launch;
  DOVETAIL_RETURN_IF_ERROR(AddOperands(node, builder, launch));
  if (attributes.method == RoiPoolingMethod::kMax) {
    AddScalar(launch, "scale", static_cast<float>(attributes.spatial_scale));
    AddPooling(node, builder, "roi_pooling_max", kMax, std::move(launch));
  } else {
    launch.writer.Helper(kPoint);
    AddPooling(node, builder, "roi_pooling_bilinear", kBilinear,
               std::move(launch));
  }
  return true;
}

absl::StatusOr<bool> EmitPsRoiPooling(const Node& node, PlanBuilder& builder) {
  if (!AreFloats(node)) return false;
  const auto& attributes = *node.As<PsRoiPoolingAttributes>();
  Launch launch;
  DOVETAIL_RETURN_IF_ERROR(AddOperands(node, builder, launch));
  AddScalar(launch, "scale", static_cast<float>(attributes.spatial_scale));
  if (attributes.mode == PsRoiPoolingMode::kAverage) {
    AddPooling(node, builder, "psroi_pooling_average", kAverage,
               std::move(launch));
    return true;
  }
  AddInt(launch, "parts_x", attributes.spatial_bins_x);
  AddInt(launch, "parts_y", attributes.spatial_bins_y);
  launch.writer.Helper(kPoint);
  launch.writer.Helper(kPart);
  AddPooling(node, builder, "psroi_pooling_bilinear", kParts,
             std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitDeformablePsRoiPooling(const Node& node,
                                                PlanBuilder& builder) {
  if (!AreFloats(node)) return false;
  const auto& attributes = *node.As<DeformablePsRoiPoolingAttributes>();
  const bool moves = node.input_count() > 2;
  Launch launch;
  DOVETAIL_RETURN_IF_ERROR(AddOperands(node, builder, launch));
  AddScalar(launch, "scale", static_cast<float>(attributes.spatial_scale));
  AddInt(launch, "parts_x", attributes.spatial_bins_x);
  AddInt(launch, "parts_y", attributes.spatial_bins_y);
  AddScalar(launch, "factor", static_cast<float>(attributes.trans_std));
  AddInt(launch, "cells", attributes.part_size);
  AddInt(launch, "labels",
         moves ? PlanBuilder::ShapeOf(node.input(2))[1] / 2 : 0);
  if (!moves) launch.writer.Body("const __global float* offsets = rois;\n");
  AddPooling(node, builder,
             absl::StrCat("deformable_psroi_pooling", moves ? "_moved" : ""),
             kDeformable, std::move(launch));
  return true;
}

}  // namespace dovetail::gpu
