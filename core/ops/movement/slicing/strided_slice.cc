#include "dovetail/core/ops/movement/slicing/strided_slice.h"

#include <optional>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"
#include "dovetail/core/ops/movement/slicing/slice_range.h"

namespace dovetail {
namespace {

using Kind = StridedSliceAxis::Kind;

bool IsSet(const std::vector<int64_t>& mask, int i) {
  return i < static_cast<int>(mask.size()) && mask[i] != 0;
}

// Masks have nothing but 0 and 1.
absl::Status CheckMasks(const InferContext& context) {
  const auto& attributes = context.attributes<StridedSliceAttributes>();
  const struct {
    const char* name;
    const std::vector<int64_t>& mask;
  } masks[] = {{"begin_mask", attributes.begin_mask},
               {"end_mask", attributes.end_mask},
               {"new_axis_mask", attributes.new_axis_mask},
               {"shrink_axis_mask", attributes.shrink_axis_mask},
               {"ellipsis_mask", attributes.ellipsis_mask}};
  for (const auto& [name, mask] : masks) {
    for (int64_t bit : mask) {
      if (bit == 0 || bit == 1) continue;
      return context.Error("attribute '", name, "' has ", bit,
                           ", want 0 or 1");
    }
  }
  return absl::OkStatus();
}

// Where the ellipsis stands; -1 without one.
absl::StatusOr<int> EllipsisOf(const StridedSliceAttributes& attributes,
                               int count) {
  int ellipsis = -1;
  for (int i = 0; i < count; ++i) {
    if (!IsSet(attributes.ellipsis_mask, i)) continue;
    if (ellipsis >= 0) {
      return InvalidArgument("ellipsis_mask has 1 at ", ellipsis, " and at ",
                             i, ", want it once at most");
    }
    ellipsis = i;
  }
  return ellipsis;
}

ValueRange::Interval ElementOf(const ValueRange* values, int i) {
  return values != nullptr && i < values->size() ? (*values)[i]
                                                 : UnknownElement();
}

// The extent that axis `part` of the plan gives the output, from what is known
// of begin, end and strides.
absl::StatusOr<Dimension> PartExtent(const InferContext& context,
                                     const StridedSliceAxis& part,
                                     const Dimension& extent) {
  constexpr double kFar = 1e300;
  ValueRange::Interval begin = ElementOf(context.value(1), part.element);
  ValueRange::Interval end = ElementOf(context.value(2), part.element);
  ValueRange::Interval stride = {1, 1};
  if (context.has_input(3)) stride = ElementOf(context.value(3), part.element);
  if (!stride.is_exact()) return Dimension(0, extent.max());
  const int64_t step = SliceBound(stride.lower);
  if (step == 0) {
    return context.Error("input 3, the strides, has 0 at ", part.element);
  }
  if (part.from_start) begin = {step > 0 ? 0 : kFar, step > 0 ? 0 : kFar};
  if (part.to_end) end = {step > 0 ? kFar : -kFar, step > 0 ? kFar : -kFar};
  return SlicedExtent(extent, begin, end, step);
}

absl::Status CheckIndex(const InferContext& context,
                        const StridedSliceAxis& part,
                        const Dimension& extent) {
  const ValueRange::Interval begin = ElementOf(context.value(1), part.element);
  if (!begin.is_exact() || extent.is_dynamic()) return absl::OkStatus();
  const double size = static_cast<double>(extent.value());
  if (begin.lower >= -size && begin.lower < size) return absl::OkStatus();
  return context.Error("input 1, begin, has ", begin.lower, " at ",
                       part.element, ", which is no element of axis ",
                       part.axis, " of input 0 of shape ",
                       context.shape(0).ToString());
}

absl::StatusOr<PartialShape> SelectedShape(const InferContext& context,
                                           int count) {
  const PartialShape& data = context.shape(0);
  auto plan = PlanStridedSlice(context.attributes<StridedSliceAttributes>(),
                               data.rank(), count);
  if (!plan.ok()) return Annotate(plan.status(), context.node().Describe());
  PartialShape shape = PartialShape::OfRank(0);
  for (const StridedSliceAxis& part : *plan) {
    switch (part.kind) {
      case Kind::kWhole:
        shape.push_back(data[part.axis]);
        break;
      case Kind::kNew:
        shape.push_back(Dimension(1));
        break;
      case Kind::kIndex:
        DOVETAIL_RETURN_IF_ERROR(CheckIndex(context, part, data[part.axis]));
        break;
      case Kind::kRange: {
        DOVETAIL_ASSIGN_OR_RETURN(
            const Dimension extent,
            PartExtent(context, part, data[part.axis]));
        shape.push_back(extent);
      }
    }
  }
  return shape;
}

void PropagateSlice(InferContext& context) {
  const ValueRange* value = context.value(0);
  const absl::StatusOr<Shape> shape = context.shape(0).ToShape();
  if (!context.wants_values() || value == nullptr || !shape.ok()) return;
  const std::optional<std::vector<int64_t>> begin = context.ints(1);
  const std::optional<std::vector<int64_t>> end = context.ints(2);
  std::optional<std::vector<int64_t>> strides(std::in_place);
  if (context.has_input(3)) strides = context.ints(3);
  if (!begin || !end || !strides) return;
  const absl::StatusOr<StridedView> view =
      SelectStridedSlice(context.attributes<StridedSliceAttributes>(), *shape,
                         *begin, *end, *strides);
  if (view.ok()) context.SetValue(0, PickValues(*value, *view));
}

}  // namespace

absl::StatusOr<std::vector<StridedSliceAxis>> PlanStridedSlice(
    const StridedSliceAttributes& attributes, int rank, int count) {
  DOVETAIL_ASSIGN_OR_RETURN(const int ellipsis, EllipsisOf(attributes, count));
  int mentioned = 0;  // axes of the data
  for (int i = 0; i < count; ++i) {
    if (i != ellipsis && !IsSet(attributes.new_axis_mask, i)) ++mentioned;
  }
  if (mentioned > rank) {
    return InvalidArgument("begin selects from ", mentioned,
                           " axes, but the data has rank ", rank);
  }
  std::vector<StridedSliceAxis> plan;
  int axis = 0;
  const auto add_whole = [&](int axes) {
    for (; axes > 0; --axes) plan.push_back({Kind::kWhole, axis++, -1});
  };
  for (int i = 0; i < count; ++i) {
    if (i == ellipsis) {
      add_whole(rank - mentioned);
    } else if (IsSet(attributes.new_axis_mask, i)) {
      plan.push_back({Kind::kNew, axis, i});
    } else {
      const bool shrinks = IsSet(attributes.shrink_axis_mask, i);
      plan.push_back({shrinks ? Kind::kIndex : Kind::kRange, axis++, i,
                      IsSet(attributes.begin_mask, i),
                      IsSet(attributes.end_mask, i)});
    }
  }
  add_whole(rank - axis);
  return plan;
}

absl::StatusOr<StridedView> SelectStridedSlice(
    const StridedSliceAttributes& attributes, const Shape& shape,
    const std::vector<int64_t>& begin, const std::vector<int64_t>& end,
    const std::vector<int64_t>& strides) {
  const size_t count = begin.size();
  if (end.size() != count || (!strides.empty() && strides.size() != count)) {
    return InvalidArgument("begin, end and strides have ", count, ", ",
                           end.size(), " and ", strides.size(),
                           " elements, want as many of each");
  }
  DOVETAIL_ASSIGN_OR_RETURN(
      const std::vector<StridedSliceAxis> plan,
      PlanStridedSlice(attributes, shape.rank(), static_cast<int>(count)));
  const StridedView data = PackedView(shape);
  StridedView view;
  for (const StridedSliceAxis& part : plan) {
    if (part.kind == Kind::kNew) {
      view.AddAxis(1, 0);
      continue;
    }
    const int64_t extent = shape[part.axis];
    const int64_t stride = data.strides[part.axis];
    if (part.kind == Kind::kWhole) {
      view.AddAxis(extent, stride);
    } else if (part.kind == Kind::kIndex) {
      const int64_t at = begin[part.element];
      if (at < -extent || at >= extent) {
        return OutOfRange("begin has ", at, " at ", part.element,
                          ", which is no element of axis ", part.axis,
                          " of shape ", shape.ToString());
      }
      view.offset += (at < 0 ? at + extent : at) * stride;
    } else {
      const int64_t step = strides.empty() ? 1 : strides[part.element];
      if (step == 0) return InvalidArgument("strides has 0");
      int64_t from = begin[part.element], to = end[part.element];
      if (part.from_start) from = step > 0 ? 0 : kSliceToEnd;
      if (part.to_end) to = step > 0 ? kSliceToEnd : kSliceToStart;
      view.AddAxis(extent, stride);
      const int axis = view.rank() - 1;
      view = Sliced(std::move(view), axis,
                    SelectSlice(extent, from, to, step));
    }
  }
  return view;
}

absl::Status InferStridedSlice(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(CheckMasks(context));
  Dimension count = Dimension::Unknown();
  for (int i = 1; i < context.input_count(); ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, 1));
    DOVETAIL_RETURN_IF_ERROR(RequireSameLength(context, 1, i));
    if (count.is_dynamic()) count = LengthOf(context, i);
  }
  PartialShape shape;
  const bool planned = context.shape(0).rank_known() && count.is_static() &&
                       count.value() <= kMaxRank;
  if (planned) {
    DOVETAIL_ASSIGN_OR_RETURN(
        shape, SelectedShape(context, static_cast<int>(count.value())));
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  if (planned) PropagateSlice(context);
  return absl::OkStatus();
}

}  // namespace dovetail
