#include "dovetail/core/ops/pooling/adaptive_pool.h"

#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// The rank of data, from its own shape or from the number of extents.
absl::StatusOr<std::optional<int>> DataRank(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 0, 3, 5));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  const PartialShape& data = context.shape(0);
  const PartialShape& extents = context.shape(1);
  std::optional<int> rank;
  if (data.rank_known()) rank = data.rank();
  if (!extents.rank_known()) return rank;
  if (rank.has_value() ? !extents[0].Contains(*rank - 2)
                       : !extents[0].Compatible(Dimension(1, 3))) {
    return context.Error("input 1 (output extents) has shape ",
                         extents.ToString(), ", want one number for each ",
                         "spatial axis of data of shape ", data.ToString());
  }
  if (extents[0].is_static()) {
    rank = 2 + static_cast<int>(extents[0].value());
  }
  return rank;
}

absl::StatusOr<PartialShape> InferShape(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<int> rank, DataRank(context));
  if (!rank.has_value()) return PartialShape::DynamicRank();

  const PartialShape& data = context.shape(0);
  PartialShape output = PartialShape::OfRank(*rank);
  if (data.rank_known()) {
    output[0] = data[0];
    output[1] = data[1];
    for (int axis = 2; axis < *rank; ++axis) {
      if (data[axis].max() < 1) {
        return context.Error("data has shape ", data.ToString(),
                             ", want spatial extents of at least 1");
      }
    }
  }
  const ValueRange* extents = context.value(1);
  if (extents == nullptr || extents->size() != *rank - 2) return output;
  const PartialShape spatial = extents->ToPartialShape();
  for (int axis = 0; axis < *rank - 2; ++axis) {
    if ((*extents)[axis].upper < 0) {
      return context.Error("input 1 (output extents) holds ",
                           (*extents)[axis].upper, ", want at least 0");
    }
    output[2 + axis] = spatial[axis];
  }
  return output;
}

}  // namespace

absl::Status InferAdaptiveAvgPool(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape output, InferShape(context));
  context.SetOutput(0, context.type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status InferAdaptiveMaxPool(InferContext& context) {
  const ElementType index =
      context.attributes<AdaptiveMaxPoolAttributes>().index_element_type;
  if (index != ElementType::kI32 && index != ElementType::kI64) {
    return context.Error("attribute 'index_element_type' is ",
                         ElementTypeName(index), ", want i32 or i64");
  }
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape output, InferShape(context));
  context.SetOutput(0, context.type(0), output);
  context.SetOutput(1, index, std::move(output));
  return absl::OkStatus();
}

}  // namespace dovetail
