#include "dovetail/core/ops/linear/scaled_dot_product_attention.h"

#include <algorithm>
#include <array>
#include <cmath>
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

// The shapes of query, key and value. One whose rank is not known is taken for
// of the greatest rank of the others, as all have the same leading axes but for
// those that are broadcast; nothing when no rank is known.
std::optional<std::array<PartialShape, 3>> ShapesOfOneRank(
    const InferContext& context) {
  std::array<PartialShape, 3> shapes;
  int rank = 0;
  for (int input = 0; input < 3; ++input) {
    shapes[input] = context.shape(input);
    if (!shapes[input].rank_known()) continue;
    rank = std::max(rank, shapes[input].rank());
  }
  if (rank == 0) return std::nullopt;
  for (PartialShape& shape : shapes) {
    if (!shape.rank_known()) shape = PartialShape::OfRank(rank);
  }
  return shapes;
}

// What query, key and value say of the leading axes together.
absl::StatusOr<PartialShape> LeadingOfAll(
    const InferContext& context, const std::array<PartialShape, 3>& shapes) {
  std::optional<PartialShape> leading = Leading(shapes[0]);
  for (int input = 1; input <= 2; ++input) {
    leading = BroadcastNumpy(*leading, Leading(shapes[input]));
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
  for (int input = 0; input < 3; ++input) {
    DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, input, 3));
  }
  const auto shapes = ShapesOfOneRank(context);
  if (!shapes.has_value()) {
    context.SetOutput(0, context.type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const auto& [query, key, value] = *shapes;
  DOVETAIL_RETURN_IF_ERROR(
      RequireSameDimension(context, 1, key.rank() - 1, 0, query.rank() - 1, "E")
          .status());
  DOVETAIL_ASSIGN_OR_RETURN(
      const Dimension keys,
      RequireSameDimension(context, 2, value.rank() - 2, 1, key.rank() - 2,
                           "S"));
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape output, LeadingOfAll(context, *shapes));
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

std::optional<double> DefaultAttentionScale(const PartialShape& query) {
  if (!query.rank_known() || query.rank() == 0) return std::nullopt;
  const Dimension depth = query[query.rank() - 1];
  if (depth.is_dynamic() || depth.value() == 0) return std::nullopt;
  return 1 / std::sqrt(static_cast<double>(depth.value()));
}

}  // namespace dovetail
