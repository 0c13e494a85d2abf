#include "dovetail/core/ops/embedding/embedding.h"

#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

constexpr EnumName kReductionNames[] = {
    {static_cast<int>(BagReduction::kSum), "sum"},
    {static_cast<int>(BagReduction::kMean), "mean"},
};

// The inputs that have different places in the operations.
struct BagInputs {
  int default_index;
  int weights;
};

absl::Status CheckVector(const InferContext& context, int input) {
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, input));
  return RequireRank(context, input, 1);
}

// The table and the optional inputs.
absl::Status CheckBags(const InferContext& context, const BagInputs& at) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  if (at.default_index > 0 && context.has_input(at.default_index)) {
    DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, at.default_index));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, at.default_index));
  }
  if (!context.has_input(at.weights)) return absl::OkStatus();
  if (BagReductionOf(context.node()) == BagReduction::kMean) {
    return context.Error("input ", at.weights,
                         " (weights) does not go with reduction mean");
  }
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, {0, at.weights}).status());
  if (context.shape(1).Compatible(context.shape(at.weights))) {
    return absl::OkStatus();
  }
  return context.Error("input ", at.weights, " (weights) has shape ",
                       context.shape(at.weights).ToString(), ", want ",
                       context.shape(1).ToString(), " as the indices have");
}

// Output 0 has a row of the table for each of `bags`.
absl::Status SetBags(InferContext& context, const Dimension& bags) {
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) shape[0] = bags;
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

// The first extent of an input whose rank has been checked.
Dimension FirstExtent(const InferContext& context, int input) {
  const PartialShape& shape = context.shape(input);
  return shape.rank_known() ? shape[0] : Dimension::Unknown();
}

}  // namespace

absl::Span<const EnumName> EnumNames(BagReduction) { return kReductionNames; }

BagReduction BagReductionOf(const Node& node) {
  const auto* attributes = node.As<EmbeddingBagAttributes>();
  return attributes == nullptr ? BagReduction::kSum : attributes->reduction;
}

absl::Status InferEmbeddingBagOffsets(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckVector(context, 1));
  DOVETAIL_RETURN_IF_ERROR(CheckVector(context, 2));
  DOVETAIL_RETURN_IF_ERROR(
      CheckBags(context, {/*default_index=*/3, /*weights=*/4}));
  return SetBags(context, FirstExtent(context, 2));
}

absl::Status InferEmbeddingBagPacked(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 2));
  DOVETAIL_RETURN_IF_ERROR(
      CheckBags(context, {/*default_index=*/-1, /*weights=*/2}));
  Dimension bags = FirstExtent(context, 1);
  if (context.has_input(2)) {
    const auto both = Intersect(bags, FirstExtent(context, 2));
    if (both.has_value()) bags = *both;
  }
  return SetBags(context, bags);
}

absl::Status InferEmbeddingSegments(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckVector(context, 1));
  DOVETAIL_RETURN_IF_ERROR(CheckVector(context, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireSameLength(context, 1, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 3));
  DOVETAIL_RETURN_IF_ERROR(
      CheckBags(context, {/*default_index=*/4, /*weights=*/5}));
  const std::optional<int64_t> segments = context.scalar_int(3);
  if (segments.has_value() && *segments < 0) {
    return context.Error("input 3 (num_segments) is ", *segments,
                         ", want at least 0");
  }
  return SetBags(context, segments.has_value() ? Dimension(*segments)
                                               : Dimension::Unknown());
}

}  // namespace dovetail
