#include "dovetail/core/ops/detection/non_max_suppression.h"

#include <algorithm>
#include <optional>

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

absl::Status CheckInputs(const InferContext& context, int64_t numbers) {
  for (const int input : {0, 1}) {
    DOVETAIL_RETURN_IF_ERROR(RequireFloat(context, input));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, input, 3));
  }
  const PartialShape& boxes = context.shape(0);
  if (boxes.rank_known() && !boxes[2].Contains(numbers)) {
    return context.Error("input 0 has shape ", boxes.ToString(),
                         ", want [B,N,", numbers, "]");
  }
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 0, 0, 1, 0, "B").status());
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 0, 1, 1, 2, "N").status());
  for (int i = 2; i < context.input_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(i == 2 ? RequireInteger(context, i)
                                    : RequireFloat(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, i));
  }
  return absl::OkStatus();
}

// No more than every box of every class, or as many as are asked for.
Dimension SelectedBound(const InferContext& context) {
  const PartialShape& scores = context.shape(1);
  if (!scores.rank_known()) return Dimension();
  Dimension per_class = scores[2];
  if (!context.has_input(2)) return 0;
  if (const std::optional<int64_t> most = context.scalar_int(2)) {
    per_class =
        Dimension(0, std::min(per_class.max(), std::max<int64_t>(*most, 0)));
  }
  return Dimension(0, (scores[0] * scores[1] * per_class).max());
}

}  // namespace

absl::Span<const EnumName> EnumNames(BoxEncoding) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(BoxEncoding::kCorner), "corner"},
      {static_cast<int>(BoxEncoding::kCenter), "center"},
  };
  return kNames;
}

std::unique_ptr<Attributes> MakeNonMaxSuppression1Attributes() {
  auto attributes = std::make_unique<NonMaxSuppressionAttributes>();
  attributes->has_output_type = false;
  return attributes;
}

absl::Status InferSelection(InferContext& context, int64_t numbers,
                            ElementType output_type, bool with_scores) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context, numbers));
  if (output_type != ElementType::kI64 && output_type != ElementType::kI32) {
    return context.Error("attribute output_type is ",
                         ElementTypeName(output_type), ", want i32 or i64");
  }
  const PartialShape selected = {SelectedBound(context), 3};
  context.SetOutput(0, output_type, selected);
  if (!with_scores) return absl::OkStatus();
  context.SetOutput(1, ElementType::kF32, selected);
  context.SetOutput(2, output_type, PartialShape{1});
  return absl::OkStatus();
}

absl::Status InferNonMaxSuppression(InferContext& context) {
  return InferSelection(
      context, /*numbers=*/4,
      context.attributes<NonMaxSuppressionAttributes>().output_type,
      /*with_scores=*/context.node().op().version >= 5);
}

}  // namespace dovetail
