#include "dovetail/core/ops/roi/roi_pooling.h"

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/dimension_at.h"
#include "dovetail/core/ops/roi/checks.h"

namespace dovetail {
namespace {

// The features have `want` channels.
absl::Status RequireChannels(const InferContext& context, int64_t want,
                             absl::string_view why) {
  const Dimension channels = DimensionAt(context, 0, 1);
  if (channels.Contains(want)) return absl::OkStatus();
  return context.Error("input 0 has ", channels.ToString(),
                       " channels, want ", want, ": ", why);
}

// output_dim, group_size and the two spatial_bins are extents.
template <typename A>
absl::Status CheckGroups(const InferContext& context, const A& attributes) {
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "output_dim", attributes.output_dim));
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "group_size", attributes.group_size));
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "spatial_bins_x", attributes.spatial_bins_x));
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "spatial_bins_y", attributes.spatial_bins_y));
  return RequireScale(context, attributes.spatial_scale);
}

absl::Status CheckOffsets(const InferContext& context,
                          const DeformablePsRoiPoolingAttributes& attributes) {
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, 0, 2).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 4));
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 1, 0, 2, 0, "R").status());
  const PartialShape& shape = context.shape(2);
  const int64_t parts = attributes.part_size;
  if (!shape.rank_known()) return absl::OkStatus();
  const bool in_pairs =
      shape[1].is_dynamic() ||
      (shape[1].value() > 0 && shape[1].value() % 2 == 0 &&
       attributes.output_dim % (shape[1].value() / 2) == 0);
  if (in_pairs && shape[2].Contains(parts) && shape[3].Contains(parts)) {
    return absl::OkStatus();
  }
  return context.Error("input 2 has shape ", shape.ToString(), ", want [R,2K,",
                       parts, ",", parts, "] with K a divisor of output_dim, ",
                       attributes.output_dim);
}

}  // namespace

absl::Span<const EnumName> EnumNames(RoiPoolingMethod) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(RoiPoolingMethod::kMax), "max"},
      {static_cast<int>(RoiPoolingMethod::kBilinear), "bilinear"},
  };
  return kNames;
}

absl::Span<const EnumName> EnumNames(PsRoiPoolingMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(PsRoiPoolingMode::kAverage), "average"},
      {static_cast<int>(PsRoiPoolingMode::kBilinear), "bilinear"},
  };
  return kNames;
}

absl::Span<const EnumName> EnumNames(DeformableMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(DeformableMode::kBilinear), "bilinear_deformable"},
  };
  return kNames;
}

absl::Status InferRoiPooling(InferContext& context) {
  const auto& attributes = context.attributes<RoiPoolingAttributes>();
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "pooled_h", attributes.pooled_h));
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "pooled_w", attributes.pooled_w));
  DOVETAIL_RETURN_IF_ERROR(RequireScale(context, attributes.spatial_scale));
  DOVETAIL_RETURN_IF_ERROR(RequireFeaturesAndRois(context, 5));
  context.SetOutput(
      0, context.type(0),
      PartialShape{DimensionAt(context, 1, 0), DimensionAt(context, 0, 1),
                   attributes.pooled_h, attributes.pooled_w});
  return absl::OkStatus();
}

absl::Status InferPsRoiPooling(InferContext& context) {
  const auto& attributes = context.attributes<PsRoiPoolingAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckGroups(context, attributes));
  DOVETAIL_RETURN_IF_ERROR(RequireFeaturesAndRois(context, 5));
  const int64_t groups = attributes.group_size, outputs = attributes.output_dim;
  if (attributes.mode == PsRoiPoolingMode::kAverage) {
    DOVETAIL_RETURN_IF_ERROR(
        RequireChannels(context, outputs * groups * groups,
                        "output_dim * group_size * group_size"));
  } else {
    DOVETAIL_RETURN_IF_ERROR(RequireChannels(
        context,
        outputs * attributes.spatial_bins_y * attributes.spatial_bins_x,
        "output_dim * spatial_bins_y * spatial_bins_x"));
  }
  context.SetOutput(
      0, context.type(0),
      PartialShape{DimensionAt(context, 1, 0), outputs, groups, groups});
  return absl::OkStatus();
}

absl::Status InferDeformablePsRoiPooling(InferContext& context) {
  const auto& attributes =
      context.attributes<DeformablePsRoiPoolingAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckGroups(context, attributes));
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "part_size", attributes.part_size));
  if (attributes.spatial_bins_x > kMaxSamplingRatio ||
      attributes.spatial_bins_y > kMaxSamplingRatio) {
    return context.Error("attributes spatial_bins_x and spatial_bins_y are ",
                         attributes.spatial_bins_x, " and ",
                         attributes.spatial_bins_y, ", want at most ",
                         kMaxSamplingRatio);
  }
  DOVETAIL_RETURN_IF_ERROR(RequireFeaturesAndRois(context, 5));
  const int64_t groups = attributes.group_size, outputs = attributes.output_dim;
  DOVETAIL_RETURN_IF_ERROR(
      RequireChannels(context, outputs * groups * groups,
                      "output_dim * group_size * group_size"));
  if (context.has_input(2)) {
    DOVETAIL_RETURN_IF_ERROR(CheckOffsets(context, attributes));
  }
  context.SetOutput(
      0, context.type(0),
      PartialShape{DimensionAt(context, 1, 0), outputs, groups, groups});
  return absl::OkStatus();
}

}  // namespace dovetail
