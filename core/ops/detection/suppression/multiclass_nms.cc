#include "dovetail/core/ops/detection/suppression/multiclass_nms.h"

#include <algorithm>

#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/dimension_at.h"

namespace dovetail {
namespace {

// How many of anything there are, and of these at most `limit`, when that is
// not -1.
Dimension AtMost(Dimension count, int64_t limit) {
  return limit < 0 ? count : Dimension(0, std::min(count.max(), limit));
}

absl::Status CheckBoxes(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, 0, 1).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 3));
  if (DimensionAt(context, 0, 2).Contains(4)) return absl::OkStatus();
  return context.Error("input 0 has shape ", context.shape(0).ToString(),
                       ", want four numbers a box");
}

absl::Status CheckSelection(const InferContext& context,
                            const MulticlassSelection& selection) {
  const ElementType type = selection.output_type;
  if (type != ElementType::kI64 && type != ElementType::kI32) {
    return context.Error("attribute output_type is ", ElementTypeName(type),
                         ", want i32 or i64");
  }
  const std::pair<absl::string_view, int64_t> limits[] = {
      {"nms_top_k", selection.nms_top_k},
      {"keep_top_k", selection.keep_top_k},
      {"background_class", selection.background_class}};
  for (const auto& [name, value] : limits) {
    if (value >= -1) continue;
    return context.Error("attribute ", name, " is ", value,
                         ", want -1 or more");
  }
  return absl::OkStatus();
}

// The outputs for `images` that have at most `boxes` boxes together, if
// keep_top_k does not tell less.
void SetOutputs(InferContext& context, const MulticlassSelection& selection,
                Dimension images, Dimension boxes_per_image) {
  const Dimension bound =
      images * AtMost(boxes_per_image, selection.keep_top_k);
  const Dimension selected(0, bound.max());
  context.SetOutput(0, context.type(0), PartialShape{selected, 6});
  context.SetOutput(1, selection.output_type, PartialShape{selected, 1});
  context.SetOutput(2, selection.output_type, PartialShape{images});
}

// Every image with boxes of its own.
absl::Status InferOfImages(InferContext& context,
                           const MulticlassSelection& selection) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 3));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension images,
                            RequireSameDimension(context, 0, 0, 1, 0, "N"));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension boxes,
                            RequireSameDimension(context, 0, 1, 1, 2, "B"));
  SetOutputs(context, selection, images,
             DimensionAt(context, 1, 1) * AtMost(boxes, selection.nms_top_k));
  return absl::OkStatus();
}

// The boxes of all images one after the other, other ones for each class.
absl::Status InferOfCounts(InferContext& context,
                           const MulticlassSelection& selection) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 1));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension classes,
                            RequireSameDimension(context, 0, 0, 1, 0, "C"));
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension boxes,
                            RequireSameDimension(context, 0, 1, 1, 1, "M"));
  SetOutputs(context, selection, DimensionAt(context, 2, 0),
             classes * AtMost(boxes, selection.nms_top_k));
  return absl::OkStatus();
}

}  // namespace

absl::Span<const EnumName> EnumNames(SortResultType) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(SortResultType::kClassId), "classid"},
      {static_cast<int>(SortResultType::kScore), "score"},
      {static_cast<int>(SortResultType::kNone), "none"},
  };
  return kNames;
}

absl::Span<const EnumName> EnumNames(DecayFunction) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(DecayFunction::kGaussian), "gaussian"},
      {static_cast<int>(DecayFunction::kLinear), "linear"},
  };
  return kNames;
}

void MulticlassSelection::Visit(AttributeVisitor& visitor) {
  visitor.Visit("sort_result_type", sort_result_type);
  visitor.Visit("sort_result_across_batch", sort_result_across_batch);
  visitor.Visit("output_type", output_type);
  visitor.Visit("nms_top_k", nms_top_k);
  visitor.Visit("keep_top_k", keep_top_k);
  visitor.Visit("score_threshold", score_threshold);
  visitor.Visit("background_class", background_class);
  visitor.Visit("normalized", normalized);
}

absl::Status InferMatrixNms(InferContext& context) {
  const MulticlassSelection& selection =
      context.attributes<MatrixNmsAttributes>().selection;
  DOVETAIL_RETURN_IF_ERROR(CheckSelection(context, selection));
  DOVETAIL_RETURN_IF_ERROR(CheckBoxes(context));
  return InferOfImages(context, selection);
}

absl::Status InferMulticlassNms(InferContext& context) {
  const auto& attributes = context.attributes<MulticlassNmsAttributes>();
  DOVETAIL_RETURN_IF_ERROR(CheckSelection(context, attributes.selection));
  if (!(attributes.nms_eta >= 0 && attributes.nms_eta <= 1)) {
    return context.Error("attribute nms_eta is ", attributes.nms_eta,
                         ", want 0 to 1");
  }
  DOVETAIL_RETURN_IF_ERROR(CheckBoxes(context));
  return context.has_input(2) ? InferOfCounts(context, attributes.selection)
                              : InferOfImages(context, attributes.selection);
}

}  // namespace dovetail
