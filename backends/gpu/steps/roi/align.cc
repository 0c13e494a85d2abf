#include "dovetail/backends/gpu/steps/roi/align.h"

#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "dovetail/backends/gpu/codegen/types.h"
#include "dovetail/backends/gpu/steps/common/launch_arguments.h"
#include "dovetail/backends/gpu/steps/roi/sample_text.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/roi/roi_align.h"
#include "dovetail/core/ops/roi/roi_feature_extractor.h"

namespace dovetail::gpu {
namespace {

// An item has a bin of a region, of all channels.
constexpr char kItem[] = R"({
#pragma OPENCL FP_CONTRACT OFF
const int bins = pooled_h * pooled_w, r = i / bins, bin = i % bins;
const int row = bin / pooled_w, column = bin % pooled_w;
const int area = height * width;
__global float* to = out + r * channels * bins + bin;
)";

constexpr char kImage[] = R"(
const long image = images[r];
if (image < 0 || image >= batch) {
  report_fault(faults, image, batch);
  for (int c = 0; c < channels; ++c) to[c * bins] = 0;
  return;
}
const __global float* planes = features + (int)image * channels * area;
)";

constexpr char kAlign[] = R"(
const __global float* roi = rois + 4 * r;
const float left = (roi[0] + before) * scale + after;
const float top = (roi[1] + before) * scale + after;
float across = (roi[2] + before) * scale + after - left;
float down = (roi[3] + before) * scale + after - top;
if (across < least) across = least;
if (down < least) down = least;
const RoiBin x = roi_bin(left, across / (float)pooled_w, column, ratio, width);
const RoiBin y = roi_bin(top, down / (float)pooled_h, row, ratio, height);
for (int c = 0; c < channels; ++c)
  to[c * bins] = roi_mean(planes + c * area, height, width, y, x, is_max);
})";

// u goes along the rectangle's width and v along its height, from its centre.
constexpr char kRotated[] = R"(
const __global float* roi = rois + 5 * r;
const float centre_x = roi[0] * scale - 0.5f;
const float centre_y = roi[1] * scale - 0.5f;
const float across = roi[2] * scale, down = roi[3] * scale;
const float angle = clockwise ? -roi[4] : roi[4];
const float c0 = cos(angle), s0 = sin(angle);
float low_u = INFINITY, high_u = -INFINITY;
float low_v = INFINITY, high_v = -INFINITY;
for (int k = 0; k < 4; ++k) {
  const float x = (k & 1 ? (float)width : -1.0f) - centre_x;
  const float y = (k & 2 ? (float)height : -1.0f) - centre_y;
  const float u = x * c0 - y * s0, v = x * s0 + y * c0;
  low_u = u < low_u ? u : low_u;
  high_u = high_u < u ? u : high_u;
  low_v = v < low_v ? v : low_v;
  high_v = high_v < v ? v : high_v;
}
const float size_u = across / (float)pooled_w, size_v = down / (float)pooled_h;
const long count_u = roi_samples(size_u, ratio);
const long count_v = roi_samples(size_v, ratio);
const float step_u = size_u / (float)count_u, step_v = size_v / (float)count_v;
const float u0 = (float)column * size_u - across / 2;
const float v0 = (float)row * size_v - down / 2;
const long2 us = roi_range(u0, step_u, count_u, low_u, high_u);
const long2 vs = roi_range(v0, step_v, count_v, low_v, high_v);
const float product = (float)count_v * (float)count_u;
const float count = product < 1.0f ? 1.0f : product;
for (int c = 0; c < channels; ++c) {
  float sum = 0;
  for (long j = vs.x; j < vs.y; ++j) {
    const float v = v0 + ((float)j + 0.5f) * step_v;
    for (long k = us.x; k < us.y; ++k) {
      const float u = u0 + ((float)k + 0.5f) * step_u;
      const float y = v * c0 - u * s0 + centre_y;
      const float x = v * s0 + u * c0 + centre_x;
      if (!roi_near(y, height) || !roi_near(x, width)) continue;
      sum += roi_sample(planes + c * area, height, width, y, x);
    }
  }
  to[c * bins] = sum / count;
}
})";

// Which level of the pyramid, after all of them: -1 for regions of no area.
constexpr char kLevel[] = R"(
int roi_level(__global const float* roi, int levels) {
#pragma OPENCL FP_CONTRACT OFF
  const float area = (roi[2] - roi[0]) * (roi[3] - roi[1]);
  if (!(area > 0)) return -1;
  return (int)roi_clamp(floor(log2(sqrt(area) / 224.0f + 1e-6f) + 2.0f), 0,
                        levels - 1);
}
)";

constexpr char kExtract[] = R"(
if (level < 0) {
  for (int c = 0; c < channels; ++c) to[c * bins] = 0;
  return;
}
const float factor = 1 / (float)scale, shift = aligned ? 0.5f : 0.0f;
const float left = roi[0] * factor - shift, top = roi[1] * factor - shift;
const float right = roi[2] * factor - shift;
const float bottom = roi[3] * factor - shift;
const float across = right - left < 1.0f ? 1.0f : right - left;
const float down = bottom - top < 1.0f ? 1.0f : bottom - top;
const RoiBin x = roi_bin(left, across / (float)pooled_w, column, ratio, width);
const RoiBin y = roi_bin(top, down / (float)pooled_h, row, ratio, height);
for (int c = 0; c < channels; ++c)
  to[c * bins] = roi_mean(planes + c * area, height, width, y, x, 0);
})";

// Declares the features of an item's level.
std::string LevelText(int levels) {
  std::string text = absl::StrCat(
      "const __global float* roi = rois + 4 * (i / (pooled_h * pooled_w));\n"
      "const int level = roi_level(roi, ",
      levels, ");\n");
  const std::pair<const char*, const char*> names[] = {
      {"const __global float* planes", "features"},
      {"const int height", "height"},
      {"const int width", "width"},
      {"const int scale", "scale"}};
  for (const auto& [declared, name] : names) {
    absl::StrAppend(&text, declared, " = ");
    for (int i = 1; i < levels; ++i) {
      absl::StrAppend(&text, "level == ", i, " ? ", name, i, " : ");
    }
    absl::StrAppend(&text, name, "0;\n");
  }
  return text;
}

// Features, regions, images, the output and its extents.
absl::Status AddOperands(const Node& node, PlanBuilder& builder,
                         Launch& launch) {
  const char* const names[] = {"features", "rois", "images"};
  for (int i = 0; i < 3; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand operand,
                              builder.ReadPlain(node.input(i)));
    AddInput(launch, names[i], ClType(node.input(i).type()), operand);
  }
  AddOutput(launch, "out", "float",
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  launch.writer.Faults();
  const Shape shape = PlanBuilder::ShapeOf(node.input(0));
  AddInt(launch, "batch", shape[0]);
  AddInt(launch, "channels", shape[1]);
  AddInt(launch, "height", shape[2]);
  AddInt(launch, "width", shape[3]);
  return absl::OkStatus();
}

bool AreFloats(const Node& node, int inputs) {
  for (int i = 0; i < inputs; ++i) {
    if (node.input(i).type() != ElementType::kF32) return false;
  }
  return true;
}

// One item for each bin, and the text up to where an image's planes are.
void AddBins(Launch& launch, const PlanBuilder& builder, const Shape& result) {
  AddInt(launch, "pooled_h", result[2]);
  AddInt(launch, "pooled_w", result[3]);
  AddItems(launch, builder, result[0] * result[2] * result[3]);
  AddBinFunctions(launch);
}

}  // namespace

absl::StatusOr<bool> EmitRoiAlign(const Node& node, PlanBuilder& builder) {
  if (!AreFloats(node, 2) || !IsIndexType(node.input(2).type())) return false;
  const RoiAlignAttributes attributes = RoiAlignAttributesOf(node);
  const bool aligned = attributes.aligned_mode != RoiAlignedMode::kAsymmetric;
  const bool half = attributes.aligned_mode == RoiAlignedMode::kHalfPixel;
  const RoiAlignV3Attributes& base = attributes.base;
  Launch launch;
  DOVETAIL_RETURN_IF_ERROR(AddOperands(node, builder, launch));
  AddInt(launch, "ratio", base.sampling_ratio);
  AddInt(launch, "is_max", base.mode == RoiAlignMode::kMax ? 1 : 0);
  AddScalar(launch, "scale", static_cast<float>(base.spatial_scale));
  AddScalar(launch, "before", half ? 0.5f : 0.0f);
  AddScalar(launch, "after", aligned ? -0.5f : 0.0f);
  // Of regions that are not aligned, a side's length.
  AddScalar(launch, "least", aligned ? -INFINITY : 1.0f);
  AddBins(launch, builder, PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)));
  launch.writer.Body(absl::StrCat(kItem, kImage, kAlign));
  launch.kernel = KernelName("roi_align", node.input(2).type());
  builder.AddLaunch(node, std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitRoiAlignRotated(const Node& node,
                                         PlanBuilder& builder) {
  if (!AreFloats(node, 2) || !IsIndexType(node.input(2).type())) return false;
  const auto& attributes = *node.As<RoiAlignRotatedAttributes>();
  Launch launch;
  DOVETAIL_RETURN_IF_ERROR(AddOperands(node, builder, launch));
  AddInt(launch, "ratio", attributes.sampling_ratio);
  AddInt(launch, "clockwise", attributes.clockwise_mode ? 1 : 0);
  AddScalar(launch, "scale", static_cast<float>(attributes.spatial_scale));
  AddBins(launch, builder, PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)));
  launch.writer.Body(absl::StrCat(kItem, kImage, kRotated));
  launch.kernel = KernelName("roi_align_rotated", node.input(2).type());
  builder.AddLaunch(node, std::move(launch));
  return true;
}

absl::StatusOr<bool> EmitRoiFeatureExtractor(const Node& node,
                                             PlanBuilder& builder) {
  if (!AreFloats(node, node.input_count())) return false;
  const auto& attributes = *node.As<RoiFeatureExtractorAttributes>();
  const int levels = node.input_count() - 1;
  const Shape result = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  Launch launch;
  DOVETAIL_ASSIGN_OR_RETURN(const Operand rois,
                            builder.ReadPlain(node.input(0)));
  AddInput(launch, "rois", "float", rois);
  for (int i = 0; i < levels; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand features,
                              builder.ReadPlain(node.input(i + 1)));
    AddInput(launch, absl::StrCat("features", i), "float", features);
  }
  AddOutput(launch, "out", "float",
            builder.WritePlain(PlanBuilder::OutputOf(node)));
  for (int i = 0; i < levels; ++i) {
    const Shape shape = PlanBuilder::ShapeOf(node.input(i + 1));
    AddInt(launch, absl::StrCat("height", i), shape[2]);
    AddInt(launch, absl::StrCat("width", i), shape[3]);
    AddInt(launch, absl::StrCat("scale", i), attributes.pyramid_scales[i]);
  }
  AddInt(launch, "channels", result[1]);
  AddInt(launch, "ratio", attributes.sampling_ratio);
  AddInt(launch, "aligned", attributes.aligned ? 1 : 0);
  AddBins(launch, builder, result);
  launch.writer.Helper(kLevel);
  launch.writer.Body(absl::StrCat(LevelText(levels), kItem, kExtract));
  launch.kernel = absl::StrCat("roi_feature_extractor_", levels);
  builder.AddLaunch(node, std::move(launch));
  builder.View(PlanBuilder::OutputOf(node, 1), rois, 0, rois.format);
  return true;
}

}  // namespace dovetail::gpu
