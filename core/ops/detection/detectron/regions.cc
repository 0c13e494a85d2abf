#include "dovetail/core/ops/detection/detectron/regions.h"

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/dimension_at.h"

namespace dovetail {
namespace {

// Input 0 is [?, 4].
absl::Status CheckBoxes(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 2));
  if (DimensionAt(context, 0, 1).Contains(4)) return absl::OkStatus();
  return context.Error("input 0 has shape ", context.shape(0).ToString(),
                       ", want four numbers a row");
}

// The grid has from 1 to `extent` cells, or, 0, as many.
absl::Status CheckCells(const InferContext& context, absl::string_view name,
                        int64_t cells, Dimension extent) {
  if (cells >= 0 && cells <= extent.max()) return absl::OkStatus();
  return context.Error("attribute ", name, " is ", cells, ", want 0 to ",
                       extent.max(), ", what the features have");
}

}  // namespace

absl::Status InferPriorGrid(InferContext& context) {
  const auto& attributes = context.attributes<PriorGridAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckBoxes(context));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 4));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 4));
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 1, 0, 2, 0, "N").status());
  const Dimension height = DimensionAt(context, 1, 2);
  const Dimension width = DimensionAt(context, 1, 3);
  DOVETAIL_RETURN_IF_ERROR(CheckCells(context, "h", attributes.h, height));
  DOVETAIL_RETURN_IF_ERROR(CheckCells(context, "w", attributes.w, width));
  const Dimension priors = DimensionAt(context, 0, 0);
  context.SetOutput(0, context.type(0),
                    attributes.flatten
                        ? PartialShape{height * width * priors, 4}
                        : PartialShape{height, width, priors, 4});
  return absl::OkStatus();
}

absl::Status InferTopKRois(InferContext& context) {
  const auto& attributes = context.attributes<TopKRoisAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckBoxes(context));
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, 0, 1).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 0, 0, 1, 0, "R").status());
  if (attributes.max_rois < 0) {
    return context.Error("attribute max_rois is ", attributes.max_rois,
                         ", want 0 or more");
  }
  context.SetOutput(0, context.type(0), PartialShape{attributes.max_rois, 4});
  return absl::OkStatus();
}

}  // namespace dovetail
