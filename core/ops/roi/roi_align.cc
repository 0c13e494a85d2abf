#include "dovetail/core/ops/roi/roi_align.h"

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/dimension_at.h"
#include "dovetail/core/ops/roi/checks.h"

namespace dovetail {
namespace {

// What both operations infer; `numbers` make up a region.
template <typename A>
absl::Status InferAligned(InferContext& context, const A& attributes,
                          int64_t numbers) {
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "pooled_h", attributes.pooled_h));
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "pooled_w", attributes.pooled_w));
  DOVETAIL_RETURN_IF_ERROR(
      RequireSamplingRatio(context, attributes.sampling_ratio));
  DOVETAIL_RETURN_IF_ERROR(RequireScale(context, attributes.spatial_scale));
  DOVETAIL_RETURN_IF_ERROR(RequireFeaturesAndRois(context, numbers));
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 1));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension rois,
                            RequireSameDimension(context, 1, 0, 2, 0, "R"));
  context.SetOutput(0, context.type(0),
                    PartialShape{rois, DimensionAt(context, 0, 1),
                                 attributes.pooled_h, attributes.pooled_w});
  return absl::OkStatus();
}

}  // namespace

absl::Span<const EnumName> EnumNames(RoiAlignMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(RoiAlignMode::kAvg), "avg"},
      {static_cast<int>(RoiAlignMode::kMax), "max"},
  };
  return kNames;
}

absl::Span<const EnumName> EnumNames(RoiAlignedMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(RoiAlignedMode::kAsymmetric), "asymmetric"},
      {static_cast<int>(RoiAlignedMode::kHalfPixelForNn), "half_pixel_for_nn"},
      {static_cast<int>(RoiAlignedMode::kHalfPixel), "half_pixel"},
  };
  return kNames;
}

RoiAlignAttributes RoiAlignAttributesOf(const Node& node) {
  if (const auto* newer = node.As<RoiAlignAttributes>()) return *newer;
  RoiAlignAttributes attributes;
  attributes.base = *node.As<RoiAlignV3Attributes>();
  return attributes;
}

absl::Status InferRoiAlign(InferContext& context) {
  return InferAligned(context, RoiAlignAttributesOf(context.node()).base, 4);
}

absl::Status InferRoiAlignRotated(InferContext& context) {
  return InferAligned(context,
                      context.attributes<RoiAlignRotatedAttributes>(), 5);
}

}  // namespace dovetail
