#include "dovetail/core/ops/detection/detection_output.h"

#include <optional>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/dimension_at.h"

namespace dovetail {
namespace {

// The extents that shapes are checked by; an unknown one stays unknown.
struct Extents {
  std::optional<int64_t> priors, classes;
};

std::optional<int64_t> StaticAt(const PartialShape& shape, int axis) {
  if (!shape.rank_known() || shape.rank() <= axis || !shape[axis].is_static()) {
    return std::nullopt;
  }
  return shape[axis].value();
}

std::optional<int64_t> Times(std::optional<int64_t> a,
                             std::optional<int64_t> b) {
  return a && b ? CheckedMultiply(*a, *b) : std::nullopt;
}

absl::Status CheckInputs(const InferContext& context) {
  if (context.input_count() == 4) {
    return context.Error("has 4 inputs, want 3, or 5 with aux_class_preds and "
                         "aux_box_preds");
  }
  for (int i = 0; i < context.input_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireFloat(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, i == 2 ? 3 : 2));
  }
  const auto& attributes = DetectionAttributesOf(context.node());
  if (attributes.keep_top_k.empty()) {
    return context.Error("attribute keep_top_k is empty, want one number");
  }
  // The priors keep f32 in models of f16.
  constexpr int kAllButPriors[] = {0, 1, 3, 4};
  const int count = context.input_count() - 1;
  return RequireSameType(context, absl::MakeConstSpan(kAllButPriors, count))
      .status();
}

// Input `input` has `want` elements an image.
absl::Status CheckExtent(const InferContext& context, int input,
                         std::optional<int64_t> want, absl::string_view what) {
  const std::optional<int64_t> have = StaticAt(context.shape(input), 1);
  if (!have || !want || *have == *want) return absl::OkStatus();
  return context.Error("input ", input, " has shape ",
                       context.shape(input).ToString(), ", want [N,", *want,
                       "]: ", what);
}

absl::StatusOr<Extents> FindExtents(const InferContext& context) {
  const auto& attributes = DetectionAttributesOf(context.node());
  const int64_t prior_size = attributes.normalized ? 4 : 5;
  Extents extents;
  const std::optional<int64_t> numbers = StaticAt(context.shape(2), 2);
  if (!numbers) return extents;
  if (*numbers % prior_size != 0) {
    return context.Error("input 2 has ", *numbers,
                         " numbers, want a multiple of ", prior_size,
                         " for each prior box");
  }
  extents.priors = *numbers / prior_size;
  const std::optional<int64_t> variances = StaticAt(context.shape(2), 1);
  const int64_t want = attributes.variance_encoded_in_target ? 1 : 2;
  if (variances && *variances != want) {
    return context.Error("input 2 has shape ", context.shape(2).ToString(),
                         ", want its second extent to be ", want,
                         want == 2 ? ": boxes and their variances"
                                   : ": boxes without variances");
  }
  const std::optional<int64_t> scores = StaticAt(context.shape(1), 1);
  if (scores && *extents.priors > 0) {
    extents.classes = ClassCount(context.node(), *scores, *extents.priors);
    // Four numbers for each must be countable.
    if (!Times(Times(extents.priors, extents.classes), 4)) {
      return context.Error("has ", *extents.priors, " prior boxes and ",
                           *extents.classes,
                           " classes, more than a tensor can have");
    }
  }
  return extents;
}

// The most detections an image can have.
Dimension DetectionsPerImage(const DetectionOutputAttributes& attributes,
                             const Extents& extents) {
  if (attributes.keep_top_k[0] > 0) return attributes.keep_top_k[0];
  const std::optional<int64_t> boxes =
      attributes.keep_top_k[0] == -1 && attributes.top_k > 0
          ? std::optional<int64_t>(attributes.top_k)
          : extents.priors;
  const std::optional<int64_t> all = Times(boxes, extents.classes);
  return all ? Dimension(*all) : Dimension();
}

}  // namespace

absl::Span<const EnumName> EnumNames(BoxCode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(BoxCode::kCorner), "caffe.PriorBoxParameter.CORNER"},
      {static_cast<int>(BoxCode::kCenterSize),
       "caffe.PriorBoxParameter.CENTER_SIZE"},
  };
  return kNames;
}

void DetectionOutputAttributes::Visit(AttributeVisitor& visitor) {
  visitor.Visit("background_label_id", background_label_id);
  visitor.Visit("top_k", top_k);
  visitor.Visit("variance_encoded_in_target", variance_encoded_in_target);
  visitor.Visit("keep_top_k", keep_top_k);
  visitor.Visit("code_type", code_type);
  visitor.Visit("share_location", share_location);
  visitor.Visit("nms_threshold", nms_threshold);
  visitor.Visit("confidence_threshold", confidence_threshold);
  visitor.Visit("clip_after_nms", clip_after_nms);
  visitor.Visit("clip_before_nms", clip_before_nms);
  visitor.Visit("decrease_label_id", decrease_label_id);
  visitor.Visit("normalized", normalized);
  visitor.Visit("input_height", input_height);
  visitor.Visit("input_width", input_width);
  visitor.Visit("objectness_score", objectness_score);
}

const DetectionOutputAttributes& DetectionAttributesOf(const Node& node) {
  const auto* v0 = node.As<DetectionOutputV0Attributes>();
  return v0 != nullptr ? v0->base : *node.As<DetectionOutputAttributes>();
}

int64_t ClassCount(const Node& node, int64_t score_extent, int64_t priors) {
  // Where there are no boxes, classes take nothing, and may be any number.
  if (priors == 0) return 0;
  const auto* v0 = node.As<DetectionOutputV0Attributes>();
  return v0 != nullptr ? v0->num_classes : score_extent / priors;
}

absl::Status InferDetectionOutput(InferContext& context) {
  const auto& attributes = DetectionAttributesOf(context.node());
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context));
  DOVETAIL_ASSIGN_OR_RETURN(const Extents extents, FindExtents(context));
  const std::optional<int64_t> scores = Times(extents.priors, extents.classes);
  DOVETAIL_RETURN_IF_ERROR(
      CheckExtent(context, 1, scores, "a score a prior box and class"));
  const std::optional<int64_t> locations =
      attributes.share_location ? extents.priors : scores;
  DOVETAIL_RETURN_IF_ERROR(
      CheckExtent(context, 0, Times(locations, 4), "four numbers a box"));
  if (context.input_count() == 5) {
    DOVETAIL_RETURN_IF_ERROR(CheckExtent(context, 3, Times(extents.priors, 2),
                                         "two scores a prior box"));
    DOVETAIL_RETURN_IF_ERROR(
        CheckExtent(context, 4, Times(locations, 4), "four numbers a box"));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension batch,
                            RequireSameDimension(context, 0, 0, 1, 0, "N"));
  const Dimension priors = DimensionAt(context, 2, 0);
  if (!priors.Contains(1) && !priors.Compatible(batch)) {
    return context.Error("input 2 has shape ", context.shape(2).ToString(),
                         ", want its first extent to be 1 or ",
                         batch.ToString(), ", the number of images");
  }
  context.SetOutput(
      0, context.type(0),
      PartialShape{1, 1, batch * DetectionsPerImage(attributes, extents), 7});
  return absl::OkStatus();
}

}  // namespace dovetail
