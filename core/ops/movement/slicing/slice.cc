#include "dovetail/core/ops/movement/slicing/slice.h"

#include <numeric>
#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"
#include "dovetail/core/ops/movement/slicing/slice_range.h"

namespace dovetail {
namespace {

ValueRange::Interval ElementOf(const ValueRange* values, size_t i) {
  return values != nullptr && static_cast<int64_t>(i) < values->size()
             ? (*values)[i]
             : UnknownElement();
}

// Every axis may be sliced, nobody knows how.
PartialShape AnySlice(const PartialShape& data) {
  PartialShape shape = PartialShape::OfRank(0);
  for (const Dimension& dim : data) shape.push_back(Dimension(0, dim.max()));
  return shape;
}

// The number of axes that are sliced, and that all lists agree on it.
absl::StatusOr<Dimension> SliceCount(const InferContext& context, int first) {
  Dimension count = Dimension::Unknown();
  for (int i = first; i < context.input_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, 1));
    DOVETAIL_RETURN_IF_ERROR(RequireSameLength(context, first, i));
    if (count.is_dynamic()) count = LengthOf(context, i);
  }
  const PartialShape& data = context.shape(0);
  if (data.rank_known() && count.min() > data.rank()) {
    return context.Error("input ", first, ", start, has ", count.ToString(),
                         " elements, but input 0 has shape ", data.ToString());
  }
  return count;
}

// Notes the elements of output 0 where those of the data are known.
void PropagateSlice(InferContext& context) {
  const ValueRange* value = context.value(0);
  const absl::StatusOr<Shape> shape = context.shape(0).ToShape();
  if (!context.wants_values() || value == nullptr || !shape.ok()) return;
  std::optional<std::vector<int64_t>> lists[4];
  lists[3].emplace();
  for (int i = 0; i + 1 < context.input_count(); ++i) {
    lists[i] = context.ints(i + 1);
  }
  for (const auto& list : lists) {
    if (!list.has_value()) return;
  }
  const absl::StatusOr<StridedView> view =
      SelectSlices(*shape, *lists[0], *lists[1], *lists[2], *lists[3]);
  if (view.ok()) context.SetValue(0, PickValues(*value, *view));
}

}  // namespace

absl::StatusOr<StridedView> SelectSlices(const Shape& shape,
                                         const std::vector<int64_t>& start,
                                         const std::vector<int64_t>& stop,
                                         const std::vector<int64_t>& step,
                                         const std::vector<int64_t>& axes) {
  const size_t count = start.size();
  if (stop.size() != count || step.size() != count ||
      (!axes.empty() && axes.size() != count) ||
      count > static_cast<size_t>(shape.rank())) {
    return InvalidArgument("start, stop, step and axes have ", count, ", ",
                           stop.size(), ", ", step.size(), " and ",
                           axes.size(), " elements for shape ",
                           shape.ToString());
  }
  StridedView view = PackedView(shape);
  std::vector<bool> seen(shape.rank(), false);
  for (size_t i = 0; i < count; ++i) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis,
        NormalizeAxis(axes.empty() ? static_cast<int64_t>(i) : axes[i],
                      shape.rank()));
    if (seen[axis]) return InvalidArgument("axes has ", axis, " twice");
    seen[axis] = true;
    if (step[i] == 0) return InvalidArgument("step has 0 at ", i);
    view = Sliced(std::move(view), axis,
                  SelectSlice(shape[axis], start[i], stop[i], step[i]));
  }
  return view;
}

absl::StatusOr<PartialShape> InferSlicedShape(const InferContext& context,
                                              int first) {
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension count,
                            SliceCount(context, first));
  const PartialShape& data = context.shape(0);
  if (!data.rank_known()) return PartialShape::DynamicRank();
  std::optional<std::vector<int64_t>> axes;
  if (context.has_input(first + 3)) {
    axes = context.ints(first + 3);
  } else if (count.is_static()) {
    axes.emplace(count.value());
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (!axes.has_value()) return AnySlice(data);
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<int> checked,
      CheckedAxes(context, *axes, data.rank(), "input axes"));
  PartialShape shape = data;
  for (size_t i = 0; i < checked.size(); ++i) {
    const Dimension& extent = data[checked[i]];
    const ValueRange::Interval step =
        ElementOf(context.value(first + 2), i);
    if (!step.is_exact()) {
      shape[checked[i]] = Dimension(0, extent.max());
      continue;
    }
    if (step.lower == 0) {
      return context.Error("input ", first + 2, ", step, has 0 at ", i);
    }
    shape[checked[i]] = SlicedExtent(
        extent, ElementOf(context.value(first), i),
        ElementOf(context.value(first + 1), i), SliceBound(step.lower));
  }
  return shape;
}

absl::Status InferSlice(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape, InferSlicedShape(context, 1));
  context.SetOutput(0, context.type(0), std::move(shape));
  PropagateSlice(context);
  return absl::OkStatus();
}

}  // namespace dovetail
