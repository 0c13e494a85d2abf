#include "dovetail/core/ops/linear/scaled_dot_product_attention.h"

#include <optional>

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

constexpr int kMask = 3;
constexpr int kScale = 4;
constexpr int kSink = 5;

absl::Status CheckTypes(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameType(context, {0, 1, 2, kScale, kSink}).status());
  if (context.has_input(kMask) &&
      context.type(kMask) != ElementType::kBoolean) {
    DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, {0, kMask}).status());
  }
  if (!context.has_input(kScale)) return absl::OkStatus();
  return RequireSingleElement(context, kScale);
}

PartialShape Leading(const PartialShape& shape) {
  return PartialShape(
      std::vector<Dimension>(shape.begin(), shape.end() - 2));
}

// The shape `to` that input `input` broadcasts to, and what its extents tell of
// that: one that is not 1 is the shape's own.
absl::StatusOr<PartialShape> BroadcastTo(const InferContext& context,
                                         int input, PartialShape to) {
  if (!context.has_input(input)) return to;
  const PartialShape& shape = context.shape(input);
  if (!shape.rank_known() || shape.rank() == 0) return to;
  const std::optional<PartialShape> both = BroadcastNumpy(shape, to);
  if (shape.rank() < 2 || !both.has_value() || !both->Compatible(to)) {
    return context.Error("input ", input, " has shape ", shape.ToString(),
                         ", want a scalar or what broadcasts to ",
                         to.ToString());
  }
  return *Intersect(*both, to);
}

// What query, key and value say of the leading axes together.
absl::StatusOr<PartialShape> LeadingOfAll(const InferContext& context) {
  std::optional<PartialShape> leading = Leading(context.shape(0));
  for (int input = 1; input <= 2; ++input) {
    leading = BroadcastNumpy(*leading, Leading(context.shape(input)));
    if (!leading.has_value()) {
      return context.Error("the leading axes of query ",
                           context.shape(0).ToString(), ", key ",
                           context.shape(1).ToString(), " and value ",
                           context.shape(2).ToString(), " do not broadcast");
    }
  }
  return *std::move(leading);
}

}  // namespace

absl::Status InferScaledDotProductAttention(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckTypes(context));
  bool ranks_known = true;
  for (int input = 0; input < 3; ++input) {
    DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, input, 3));
    ranks_known = ranks_known && context.shape(input).rank_known();
  }
  if (!ranks_known) {
    context.SetOutput(0, context.type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const PartialShape& query = context.shape(0);
  const PartialShape& key = context.shape(1);
  const PartialShape& value = context.shape(2);
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 1, key.rank() - 1, 0, query.rank() - 1, "E")
          .status());
  DOVETAIL_ASSIGN_OR_RETURN(
      const Dimension keys,
      RequireSameDimension(context, 2, value.rank() - 2, 1, key.rank() - 2,
                           "S"));
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape output, LeadingOfAll(context));
  const Dimension queries = query[query.rank() - 2];
  PartialShape scores = output, sink = output;
  for (const Dimension& dim : {queries, keys}) scores.push_back(dim);
  for (const Dimension& dim : {queries, Dimension(1)}) sink.push_back(dim);
  DOVETAIL_ASSIGN_OR_RETURN(scores, BroadcastTo(context, kMask, scores));
  DOVETAIL_RETURN_IF_ERROR(BroadcastTo(context, kSink, sink).status());
  output = scores;
  output[output.rank() - 1] = value[value.rank() - 1];
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
