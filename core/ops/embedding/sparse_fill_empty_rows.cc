#include "dovetail/core/ops/embedding/sparse_fill_empty_rows.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

struct DenseShape {
  int64_t rows, columns;
};

absl::Status CheckInputs(const InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, {0, 3}).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 0, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireSameType(context, {1, 2}).status());
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 3));
  const PartialShape two = {2}, pairs = {-1, 2};
  if (!context.shape(1).Compatible(two)) {
    return context.Error("input 1 (dense_shape) has shape ",
                         context.shape(1).ToString(), ", want [2]");
  }
  if (!context.shape(2).Compatible(pairs)) {
    return context.Error("input 2 (indices) has shape ",
                         context.shape(2).ToString(), ", want [?,2]");
  }
  if (context.shape(0).rank_known() && context.shape(2).rank_known()) {
    return RequireSameDimension(context, 0, 0, 2, 0, "the number of values")
        .status();
  }
  return absl::OkStatus();
}

// Input 1; nothing when it is not known.
absl::StatusOr<std::optional<DenseShape>> ReadShape(
    const InferContext& context) {
  const std::optional<std::vector<int64_t>> extents = context.ints(1);
  if (!extents.has_value() || extents->size() != 2) return std::nullopt;
  const DenseShape shape{extents->front(), extents->back()};
  if (shape.rows >= 0 && shape.columns >= 0) return shape;
  return context.Error("input 1 (dense_shape) is ", shape.rows, " x ",
                       shape.columns, ", want no negative extents");
}

// The number of rows that the indices name, which lie inside of the shape.
absl::StatusOr<int64_t> RowsInUse(const InferContext& context,
                                  const std::vector<int64_t>& indices,
                                  const DenseShape& shape) {
  std::vector<int64_t> rows;
  for (size_t i = 0; i + 1 < indices.size(); i += 2) {
    const int64_t row = indices[i], column = indices[i + 1];
    if (row < 0 || row >= shape.rows || column < 0 ||
        column >= shape.columns) {
      return context.Error("input 2 (indices) has row ", row, ", column ",
                           column, ", which is outside of ", shape.rows, " x ",
                           shape.columns);
    }
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  return std::unique(rows.begin(), rows.end()) - rows.begin();
}

// How many values there are after filling.
absl::StatusOr<Dimension> FilledCount(const InferContext& context,
                                      const std::optional<DenseShape>& shape,
                                      const Dimension& rows) {
  const PartialShape& values = context.shape(0);
  const Dimension before =
      values.rank_known() ? values[0] : Dimension::Unknown();
  const std::optional<std::vector<int64_t>> indices = context.ints(2);
  if (indices.has_value() && shape.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t in_use,
                              RowsInUse(context, *indices, *shape));
    return before + (rows - Dimension(in_use));
  }
  return Dimension(std::max(before.min(), rows.min()), (before + rows).max());
}

}  // namespace

absl::Status InferSparseFillEmptyRows(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckInputs(context));
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<DenseShape> shape,
                            ReadShape(context));
  const Dimension rows =
      shape.has_value() ? Dimension(shape->rows) : Dimension::Unknown();
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension count,
                            FilledCount(context, shape, rows));
  context.SetOutput(0, context.type(2), PartialShape{count, 2});
  context.SetOutput(1, context.type(0), PartialShape{count});
  context.SetOutput(2, ElementType::kBoolean, PartialShape{rows});
  return absl::OkStatus();
}

}  // namespace dovetail
