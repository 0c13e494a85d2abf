#include "dovetail/core/ops/detection/proposals/generate_proposals.h"

#include <algorithm>
#include <optional>

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/dimension_at.h"

namespace dovetail {
namespace {

// The number of boxes may be at most this, so that four times that fits.
constexpr int64_t kMaxCount = int64_t{1} << 40;

absl::Status CheckCounts(const InferContext& context,
                         const SingleImageProposalsAttributes& attributes,
                         int64_t least) {
  const std::pair<absl::string_view, int64_t> counts[] = {
      {"pre_nms_count", attributes.pre_nms_count},
      {"post_nms_count", attributes.post_nms_count}};
  for (const auto& [name, value] : counts) {
    if (value >= least && value <= kMaxCount) continue;
    return context.Error("attribute ", name, " is ", value, ", want ", least,
                         " to ", kMaxCount);
  }
  return absl::OkStatus();
}

absl::Status CheckTypesAndRanks(const InferContext& context,
                                const int (&ranks)[4]) {
  for (int i = 0; i < 4; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireFloat(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, ranks[i]));
  }
  return RequireSameType(context, 1, 3).status();
}

// Extent `axis` of input `input` is `want` as far as both are known.
absl::Status CheckExtent(const InferContext& context, int input, int axis,
                         Dimension want, absl::string_view what) {
  if (DimensionAt(context, input, axis).Compatible(want)) {
    return absl::OkStatus();
  }
  return context.Error("input ", input, " has shape ",
                       context.shape(input).ToString(), ", want extent ", axis,
                       " to be ", want.ToString(), ", ", what);
}

// The extents of GenerateProposals' inputs fit each other.
absl::Status CheckMaps(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(
      CheckExtent(context, 0, 1, Dimension(3, 4),
                  "height, width and one or two scales"));
  DOVETAIL_RETURN_IF_ERROR(
      CheckExtent(context, 1, 3, 4, "four numbers an anchor"));
  const Dimension anchors = DimensionAt(context, 3, 1);
  const Dimension height = DimensionAt(context, 3, 2);
  const Dimension width = DimensionAt(context, 3, 3);
  const struct {
    int input, axis;
    Dimension want;
    absl::string_view what;
  } extents[] = {
      {1, 0, height, "the height of the scores"},
      {1, 1, width, "the width of the scores"},
      {1, 2, anchors, "the channels of the scores"},
      {2, 1, anchors * Dimension(4), "four times the channels of the scores"},
      {2, 2, height, "the height of the scores"},
      {2, 3, width, "the width of the scores"},
  };
  for (const auto& extent : extents) {
    DOVETAIL_RETURN_IF_ERROR(CheckExtent(context, extent.input, extent.axis,
                                         extent.want, extent.what));
  }
  return RequireSameDimension(context, 0, 0, 2, 0, "N").status();
}

}  // namespace

absl::Status InferGenerateProposals(InferContext& context) {
  const auto& attributes = context.attributes<GenerateProposalsAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckCounts(context, attributes.base, 1));
  const ElementType type = attributes.roi_num_type;
  if (type != ElementType::kI32 && type != ElementType::kI64) {
    return context.Error("attribute roi_num_type is ", ElementTypeName(type),
                         ", want i32 or i64");
  }
  if (!(attributes.nms_eta >= 0 && attributes.nms_eta <= 1)) {
    return context.Error("attribute nms_eta is ", attributes.nms_eta,
                         ", want 0 to 1");
  }
  DOVETAIL_RETURN_IF_ERROR(CheckTypesAndRanks(context, {2, 4, 4, 4}));
  DOVETAIL_RETURN_IF_ERROR(CheckMaps(context));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension images,
                            RequireSameDimension(context, 0, 0, 3, 0, "N"));
  const Dimension most = images * Dimension(attributes.base.post_nms_count);
  const Dimension rows(0, most.max());
  context.SetOutput(0, context.type(0), PartialShape{rows, 4});
  context.SetOutput(1, context.type(0), PartialShape{rows});
  context.SetOutput(2, type, PartialShape{images});
  return absl::OkStatus();
}

absl::Status InferSingleImageProposals(InferContext& context) {
  const auto& attributes = context.attributes<SingleImageProposalsAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckCounts(context, attributes, 0));
  DOVETAIL_RETURN_IF_ERROR(CheckTypesAndRanks(context, {1, 2, 3, 3}));
  DOVETAIL_RETURN_IF_ERROR(
      CheckExtent(context, 0, 0, 3, "height, width and scale"));
  DOVETAIL_RETURN_IF_ERROR(
      CheckExtent(context, 1, 1, 4, "four numbers an anchor"));
  const Dimension scores = DimensionAt(context, 3, 0) *
                           DimensionAt(context, 3, 1) *
                           DimensionAt(context, 3, 2);
  DOVETAIL_RETURN_IF_ERROR(
      CheckExtent(context, 1, 0, scores, "one anchor a score"));
  DOVETAIL_RETURN_IF_ERROR(
      CheckExtent(context, 2, 0, DimensionAt(context, 3, 0) * Dimension(4),
                  "four times the scores' channels"));
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 3, 1, 2, 1, "H").status());
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 3, 2, 2, 2, "W").status());
  context.SetOutput(0, context.type(0),
                    PartialShape{attributes.post_nms_count, 4});
  context.SetOutput(1, context.type(0),
                    PartialShape{attributes.post_nms_count});
  return absl::OkStatus();
}

}  // namespace dovetail
