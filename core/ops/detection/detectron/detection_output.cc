#include "dovetail/core/ops/detection/detectron/detection_output.h"

#include <utility>

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// Counts may be at most this, so that four times that fits.
constexpr int64_t kMaxCount = int64_t{1} << 40;

absl::Status CheckAttributes(
    const InferContext& context,
    const DetectronDetectionOutputAttributes& attributes) {
  const std::pair<absl::string_view, int64_t> counts[] = {
      {"num_classes", attributes.num_classes},
      {"post_nms_count", attributes.post_nms_count},
      {"max_detections_per_image", attributes.max_detections_per_image}};
  for (const auto& [name, value] : counts) {
    if (value >= 0 && value <= kMaxCount) continue;
    return context.Error("attribute ", name, " is ", value, ", want 0 to ",
                         kMaxCount);
  }
  if (attributes.deltas_weights.size() == 4) return absl::OkStatus();
  return context.Error("attribute deltas_weights has ",
                       attributes.deltas_weights.size(), " numbers, want 4");
}

// Input `input` is [?, `extent`].
absl::Status CheckWidth(const InferContext& context, int input, int64_t extent,
                        absl::string_view what) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, input, 2));
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known() || shape[1].Contains(extent)) {
    return absl::OkStatus();
  }
  return context.Error("input ", input, " has shape ", shape.ToString(),
                       ", want extent 1 to be ", extent, ", ", what);
}

}  // namespace

absl::Status InferDetectronDetectionOutput(InferContext& context) {
  const auto& attributes =
      context.attributes<DetectronDetectionOutputAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckAttributes(context, attributes));
  DOVETAIL_RETURN_IF_ERROR(RequireFloat(context, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, 0, 2).status());
  DOVETAIL_RETURN_IF_ERROR(CheckWidth(context, 0, 4, "four numbers a region"));
  DOVETAIL_RETURN_IF_ERROR(CheckWidth(context, 1, 4 * attributes.num_classes,
                                      "four numbers a class"));
  DOVETAIL_RETURN_IF_ERROR(
      CheckWidth(context, 2, attributes.num_classes, "a score a class"));
  DOVETAIL_RETURN_IF_ERROR(
      CheckWidth(context, 3, 3, "height, width and scale"));
  for (const int input : {1, 2}) {
    DOVETAIL_RETURN_IF_ERROR(
        RequireSameDimension(context, 0, 0, input, 0, "R").status());
  }
  const PartialShape& image = context.shape(3);
  if (image.rank_known() && !image[0].Contains(1)) {
    return context.Error("input 3 has shape ", image.ToString(),
                         ", want [1,3]: one image");
  }
  const int64_t rows = attributes.max_detections_per_image;
  context.SetOutput(0, context.type(0), PartialShape{rows, 4});
  context.SetOutput(1, ElementType::kI32, PartialShape{rows});
  context.SetOutput(2, context.type(0), PartialShape{rows});
  return absl::OkStatus();
}

}  // namespace dovetail
