#include "dovetail/core/ops/shape_query/broadcast.h"

#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// The target as a partial shape, as far as it is known.
absl::StatusOr<PartialShape> TargetShape(const InferContext& context) {
  const ValueRange* value = context.value(1);
  if (value == nullptr) return ShapeOfLength(context.shape(1));
  PartialShape target = PartialShape::OfRank(0);
  for (const ValueRange::Interval& element : value->elements()) {
    if (element.upper < 0) {
      return context.Error("input 1, the target shape, has ", element.upper,
                           " at ", target.rank(), ", want 0 or more");
    }
    target.push_back(ExtentOf(element));
  }
  return target;
}

// Which axis of the target each axis of the data is; nothing while that is not
// known. Both ranks are.
absl::StatusOr<std::optional<std::vector<int>>> TargetAxes(
    const InferContext& context, const PartialShape& target) {
  const int rank = context.shape(0).rank();
  if (rank > target.rank()) {
    return context.Error("input 0 has shape ", context.shape(0).ToString(),
                         ", want at most rank ", target.rank(),
                         " as the target shape ", target.ToString());
  }
  const BroadcastMode mode = context.attributes<BroadcastAttributes>().mode;
  if (mode == BroadcastMode::kNumpy) {
    return ConsecutiveAxes(target.rank() - rank, rank);
  }
  if (mode == BroadcastMode::kPdpd) return ConsecutiveAxes(0, rank);
  const std::optional<std::vector<int64_t>> mapping = context.ints(2);
  if (!mapping.has_value()) return std::nullopt;
  DOVETAIL_ASSIGN_OR_RETURN(
      std::vector<int> axes,
      CheckedAxes(context, *mapping, target.rank(), "input 2, axes_mapping,"));
  for (size_t i = 1; i < axes.size(); ++i) {
    if (axes[i] < axes[i - 1]) {
      return context.Error("input 2, axes_mapping, has ", axes[i], " after ",
                           axes[i - 1], ", want ascending axes");
    }
  }
  return axes;
}

// What the data says about the extents that the target has on its axes.
absl::Status MergeData(const InferContext& context,
                       const std::vector<int>& axes, PartialShape& target) {
  const PartialShape& data = context.shape(0);
  for (int i = 0; i < data.rank(); ++i) {
    if (data[i].Contains(1)) continue;
    const std::optional<Dimension> both = Intersect(data[i], target[axes[i]]);
    if (!both.has_value()) {
      return context.Error("input 0 of shape ", data.ToString(), " has ",
                           data[i].ToString(), " on axis ", i, ", want 1 or ",
                           target[axes[i]].ToString(), " for the target shape ",
                           target.ToString());
    }
    target[axes[i]] = *both;
  }
  return absl::OkStatus();
}

void PropagateBroadcast(InferContext& context, const std::vector<int>& axes) {
  const ValueRange* value = context.value(0);
  const absl::StatusOr<Shape> data = context.shape(0).ToShape();
  const absl::StatusOr<Shape> target = context.outputs()[0].shape.ToShape();
  if (!context.wants_values() || value == nullptr || !data.ok() ||
      !target.ok()) {
    return;
  }
  context.SetValue(
      0, PickValues(*value, BroadcastView(PackedView(*data), *target, axes)));
}

// Mode bidirectional, where the data's axes are the result's last ones.
absl::Status InferBidirectional(InferContext& context,
                                const PartialShape& target) {
  const PartialShape& data = context.shape(0);
  std::optional<PartialShape> shape = BroadcastNumpy(data, target);
  if (!shape.has_value()) {
    return context.Error("input 0 of shape ", data.ToString(),
                         " does not broadcast with the target shape ",
                         target.ToString());
  }
  context.SetOutput(0, context.type(0), *shape);
  if (shape->rank_known() && data.rank_known()) {
    PropagateBroadcast(
        context, ConsecutiveAxes(shape->rank() - data.rank(), data.rank()));
  }
  return absl::OkStatus();
}

absl::Status CheckMapping(const InferContext& context) {
  if (!context.has_input(2)) {
    return context.Error("has ", context.input_count(),
                         " inputs, want 3 in mode explicit: axes_mapping");
  }
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 1));
  return RequireLengthIsRank(context, 2, 0);
}

}  // namespace

absl::Span<const EnumName> EnumNames(BroadcastMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(BroadcastMode::kNumpy), "numpy"},
      {static_cast<int>(BroadcastMode::kExplicit), "explicit"},
      {static_cast<int>(BroadcastMode::kExplicit), "none"},
      {static_cast<int>(BroadcastMode::kPdpd), "pdpd"},
      {static_cast<int>(BroadcastMode::kBidirectional), "bidirectional"},
  };
  return kNames;
}

std::vector<int> ConsecutiveAxes(int first, int count) {
  std::vector<int> axes(count);
  std::iota(axes.begin(), axes.end(), first);
  return axes;
}

StridedView BroadcastView(const StridedView& data, const Shape& target,
                          absl::Span<const int> axes) {
  StridedView view;
  view.offset = data.offset;
  for (int64_t extent : target) view.AddAxis(extent, 0);
  for (int i = 0; i < data.rank(); ++i) {
    if (data.shape[i] != 1) view.strides[axes[i]] = data.strides[i];
  }
  return view;
}

absl::Status InferBroadcast(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  const BroadcastMode mode = context.attributes<BroadcastAttributes>().mode;
  if (mode == BroadcastMode::kExplicit) {
    DOVETAIL_RETURN_IF_ERROR(CheckMapping(context));
  }
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape target, TargetShape(context));
  if (mode == BroadcastMode::kBidirectional) {
    return InferBidirectional(context, target);
  }
  std::optional<std::vector<int>> axes;
  if (target.rank_known() && context.shape(0).rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(axes, TargetAxes(context, target));
  }
  if (axes) DOVETAIL_RETURN_IF_ERROR(MergeData(context, *axes, target));
  context.SetOutput(0, context.type(0), std::move(target));
  if (axes) PropagateBroadcast(context, *axes);
  return absl::OkStatus();
}

}  // namespace dovetail
