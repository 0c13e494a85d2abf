#include "dovetail/core/ops/indexing/gather/gather.h"

#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// The output's shape for known ranks and axis.
absl::StatusOr<PartialShape> GatheredShape(const InferContext& context,
                                           int axis, int batch_dims) {
  const PartialShape& data = context.shape(0);
  const PartialShape& indices = context.shape(1);
  if (batch_dims > axis) {
    return context.Error("batch_dims is ", batch_dims, ", want at most ", axis,
                         ", the axis");
  }
  PartialShape shape = PartialShape::OfRank(0);
  for (int i = 0; i < batch_dims; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const Dimension batch,
        RequireSameDimension(context, 0, i, 1, i, "batch"));
    shape.push_back(batch);
  }
  for (int i = batch_dims; i < axis; ++i) shape.push_back(data[i]);
  for (int i = batch_dims; i < indices.rank(); ++i) {
    shape.push_back(indices[i]);
  }
  for (int i = axis + 1; i < data.rank(); ++i) shape.push_back(data[i]);
  return shape;
}

// The same while the axis is not known, which is none of the batch.
absl::StatusOr<PartialShape> GatheredAnywhere(const InferContext& context,
                                              int batch_dims) {
  PartialShape shape = UnknownOfRank(
      context.shape(0).rank() - 1 + context.shape(1).rank() - batch_dims);
  for (int i = 0; i < batch_dims && shape.rank_known(); ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        shape[i], RequireSameDimension(context, 0, i, 1, i, "batch"));
  }
  return shape;
}

// Notes the elements that known indices pick of known data.
void PropagateGathered(InferContext& context, int axis, int batch_dims) {
  const ValueRange* value = context.value(0);
  const std::optional<std::vector<int64_t>> indices = context.ints(1);
  const absl::StatusOr<Shape> data = context.shape(0).ToShape();
  const absl::StatusOr<Shape> where = context.shape(1).ToShape();
  if (!context.wants_values() || value == nullptr || !indices || !data.ok() ||
      !where.ok() || indices->size() > ValueRange::kMaxElements) {
    return;
  }
  const int64_t extent = (*data)[axis];
  // Version 8 brought indices from the end.
  const bool from_end = context.node().op().version >= 8;
  const int64_t inner = data->Count(axis + 1, data->rank());
  const int64_t batches = data->Count(0, batch_dims);
  const int64_t outer = data->Count(batch_dims, axis);
  const int64_t count = where->Count(batch_dims, where->rank());
  std::vector<ValueRange::Interval> elements;
  for (int64_t row = 0; row < batches * outer; ++row) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t index = (*indices)[row / outer * count + i];
      if (index < 0 && from_end) index += extent;
      for (int64_t j = 0; j < inner; ++j) {
        elements.push_back(index >= 0 && index < extent
                               ? (*value)[(row * extent + index) * inner + j]
                               : UnknownElement());
      }
      if (elements.size() > ValueRange::kMaxElements) return;
    }
  }
  context.SetValue(0, ValueRange(std::move(elements)));
}

}  // namespace

int64_t BatchDims(const Node& node, int indices_rank) {
  const auto* attributes = node.As<GatherAttributes>();
  if (attributes == nullptr) return 0;
  const int64_t dims = attributes->batch_dims;
  return dims < 0 ? dims + indices_rank : dims;
}

absl::Status InferGather(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 2));
  const PartialShape& data = context.shape(0);
  const PartialShape& indices = context.shape(1);
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  std::optional<int> axis;
  if (const std::optional<int64_t> number = context.scalar_int(2);
      number.has_value() && data.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        axis, CheckedAxis(context, *number, data.rank(), "input 2, axis,"));
  }
  if (!data.rank_known() || !indices.rank_known()) {
    context.SetOutput(0, context.type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  const int64_t batch_dims = BatchDims(context.node(), indices.rank());
  if (batch_dims < 0 || batch_dims > indices.rank() ||
      batch_dims >= data.rank()) {
    return context.Error("batch_dims is ", batch_dims,
                         ", want at most the rank of the indices ",
                         indices.ToString(), " and less than that of the data ",
                         data.ToString());
  }
  const int shared = static_cast<int>(batch_dims);
  if (!axis.has_value()) {
    DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape,
                              GatheredAnywhere(context, shared));
    context.SetOutput(0, context.type(0), std::move(shape));
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape,
                            GatheredShape(context, *axis, shared));
  context.SetOutput(0, context.type(0), std::move(shape));
  PropagateGathered(context, *axis, shared);
  return absl::OkStatus();
}

}  // namespace dovetail
