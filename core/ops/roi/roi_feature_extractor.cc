#include "dovetail/core/ops/roi/roi_feature_extractor.h"

#include <optional>

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/dimension_at.h"
#include "dovetail/core/ops/roi/checks.h"

namespace dovetail {
namespace {

absl::Status CheckScales(const InferContext& context,
                         const RoiFeatureExtractorAttributes& attributes) {
  // Real models list the scales of levels that they do not have, at the end.
  const int levels = context.input_count() - 1;
  if (static_cast<int>(attributes.pyramid_scales.size()) < levels) {
    return context.Error("attribute pyramid_scales has ",
                         attributes.pyramid_scales.size(), " numbers, want ",
                         levels, ", one for each level");
  }
  for (const int64_t scale : attributes.pyramid_scales) {
    DOVETAIL_RETURN_IF_ERROR(RequireExtent(context, "pyramid_scales", scale));
  }
  return absl::OkStatus();
}

// Levels are [1, C, H, W]; the answer is C.
absl::StatusOr<Dimension> CheckLevels(const InferContext& context) {
  Dimension channels;
  for (int i = 1; i < context.input_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, 4));
    if (!DimensionAt(context, i, 0).Contains(1)) {
      return context.Error("input ", i, " has shape ",
                           context.shape(i).ToString(), ", want [1,C,H,W]");
    }
    const std::optional<Dimension> both =
        Intersect(channels, DimensionAt(context, i, 1));
    if (!both.has_value()) {
      return context.Error("input ", i, " has ",
                           DimensionAt(context, i, 1).ToString(),
                           " channels, want ", channels.ToString(),
                           " as the levels before");
    }
    channels = *both;
  }
  return channels;
}

}  // namespace

absl::Status InferRoiFeatureExtractor(InferContext& context) {
  const auto& attributes = context.attributes<RoiFeatureExtractorAttributes>();
  DOVETAIL_RETURN_IF_ERROR(
      RequireExtent(context, "output_size", attributes.output_size));
  DOVETAIL_RETURN_IF_ERROR(
      RequireSamplingRatio(context, attributes.sampling_ratio));
  DOVETAIL_RETURN_IF_ERROR(CheckScales(context, attributes));
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameType(context, 0, context.input_count() - 1).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRois(context, 0, 4));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension channels, CheckLevels(context));
  const Dimension rois = DimensionAt(context, 0, 0);
  context.SetOutput(0, context.type(0),
                    PartialShape{rois, channels, attributes.output_size,
                                 attributes.output_size});
  context.SetOutput(1, context.type(0), PartialShape{rois, 4});
  return absl::OkStatus();
}

}  // namespace dovetail
