#include "dovetail/core/ops/reduction/reduce.h"

#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/common/value_math.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

PartialShape ReducedShape(const PartialShape& data,
                          const std::vector<bool>& reduced, bool keep_dims) {
  PartialShape shape = PartialShape::OfRank(0);
  for (int axis = 0; axis < data.rank(); ++axis) {
    if (!reduced[axis]) {
      shape.push_back(data[axis]);
    } else if (keep_dims) {
      shape.push_back(Dimension(1));
    }
  }
  return shape;
}

// The output's shape while the axes are not known.
PartialShape UnknownShape(const InferContext& context, bool keep_dims) {
  const PartialShape& data = context.shape(0);
  const Dimension count = LengthOf(context, 1);
  if (!data.rank_known()) return PartialShape::DynamicRank();
  if (count == Dimension(0)) return data;
  if (keep_dims) return UnknownOfRank(data.rank());
  // Several axes might be one and the same.
  return count == Dimension(1) && data.rank() > 0
             ? UnknownOfRank(data.rank() - 1)
             : PartialShape::DynamicRank();
}

// In what the sums for means are added up: those of small integers do not wrap.
ElementType SumTypeForMean(ElementType type) {
  return IsInteger(type) && BitWidth(type) == 64 ? type : ElementType::kF64;
}

// Notes the reduced elements where those of the data are known. Each step of
// `combine` is rounded to `type`.
void PropagateReduced(InferContext& context, const std::vector<bool>& reduced,
                      BinaryIntervalFn combine, ElementType type) {
  const ValueRange* value = context.value(0);
  const absl::StatusOr<Shape> data = context.shape(0).ToShape();
  if (!context.wants_values() || value == nullptr || !data.ok() ||
      value->size() == 0) {
    return;
  }
  // The data with the reduced axes last: runs of elements to combine.
  std::vector<int> order;
  int64_t run = 1;
  for (bool last : {false, true}) {
    for (int axis = 0; axis < data->rank(); ++axis) {
      if (reduced[axis] != last) continue;
      order.push_back(axis);
      if (last) run *= (*data)[axis];
    }
  }
  const ValueRange sorted =
      PickValues(*value, Permuted(PackedView(*data), order));
  std::vector<Interval> results;
  for (int64_t i = 0; i < sorted.size(); ++i) {
    if (i % run == 0) {
      results.push_back(sorted[i]);
    } else {
      results.back() = RoundTo(type, combine(results.back(), sorted[i]));
    }
  }
  context.SetValue(0, ValueRange(std::move(results)));
}

// `combine` is null where elements are not propagated; `type` is what it is
// computed in.
absl::Status InferReduced(InferContext& context, BinaryIntervalFn combine,
                          ElementType type) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankBetween(context, 1, 0, 1));
  const bool keep_dims = context.attributes<ReduceAttributes>().keep_dims;
  const PartialShape& data = context.shape(0);
  const std::optional<std::vector<int64_t>> axes = context.ints(1);
  if (!axes.has_value() || !data.rank_known()) {
    context.SetOutput(0, context.type(0), UnknownShape(context, keep_dims));
    return absl::OkStatus();
  }
  const absl::StatusOr<std::vector<bool>> reduced =
      ReducedAxes(*axes, data.rank());
  if (!reduced.ok()) {
    return context.Error("input 1, axes: ", reduced.status().message());
  }
  context.SetOutput(0, context.type(0),
                    ReducedShape(data, *reduced, keep_dims));
  if (combine != nullptr) PropagateReduced(context, *reduced, combine, type);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<bool>> ReducedAxes(const std::vector<int64_t>& axes,
                                              int rank) {
  std::vector<bool> reduced(rank, false);
  for (int64_t axis : axes) {
    if (rank == 0 && (axis == 0 || axis == -1)) continue;
    DOVETAIL_ASSIGN_OR_RETURN(const int checked, NormalizeAxis(axis, rank));
    reduced[checked] = true;
  }
  return reduced;
}

absl::Status InferReduce(InferContext& context) {
  return InferReduced(context, nullptr, context.type(0));
}
absl::Status InferReduceSum(InferContext& context) {
  return InferReduced(context, &AddIntervals, context.type(0));
}
absl::Status InferReduceMean(InferContext& context) {
  const ElementType type = context.type(0);
  DOVETAIL_RETURN_IF_ERROR(
      InferReduced(context, &AddIntervals, SumTypeForMean(type)));
  const std::optional<ValueRange> sums = context.outputs()[0].value;
  if (!sums.has_value() || sums->size() == 0) return absl::OkStatus();
  const auto run =
      static_cast<double>(context.value(0)->size() / sums->size());
  std::vector<Interval> means;
  for (const Interval& sum : sums->elements()) {
    const Interval mean = IsInteger(type)
                              ? TruncateDivideIntervals(sum, {run, run})
                              : DivideIntervals(sum, {run, run});
    means.push_back(RoundTo(type, mean));
  }
  context.SetValue(0, ValueRange(std::move(means)));
  return absl::OkStatus();
}
absl::Status InferReduceProd(InferContext& context) {
  return InferReduced(context, &MultiplyIntervals, context.type(0));
}
absl::Status InferReduceMax(InferContext& context) {
  return InferReduced(context, &MaximumIntervals, context.type(0));
}
absl::Status InferReduceMin(InferContext& context) {
  return InferReduced(context, &MinimumIntervals, context.type(0));
}

}  // namespace dovetail
