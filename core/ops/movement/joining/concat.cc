#include "dovetail/core/ops/movement/joining/concat.h"

#include <algorithm>
#include <cstdint>
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

// What input `i` adds to `shape`, the inputs before it together;
// `first` is the first input of known rank.
absl::Status Append(const InferContext& context, int i, int first, int axis,
                    PartialShape& shape) {
  const PartialShape& next = context.shape(i);
  if (next.rank() != shape.rank()) {
    return context.Error("input ", i, " has shape ", next.ToString(),
                         ", want rank ", shape.rank(), " as input ", first,
                         " of shape ", context.shape(first).ToString());
  }
  for (int j = 0; j < shape.rank(); ++j) {
    if (j == axis) {
      shape[j] = shape[j] + next[j];
      continue;
    }
    const std::optional<Dimension> both = Intersect(shape[j], next[j]);
    if (!both.has_value()) {
      return context.Error("input ", i, " of shape ", next.ToString(), " has ",
                           next[j].ToString(), " on axis ", j, ", want ",
                           shape[j].ToString(), " as the inputs before it");
    }
    shape[j] = *both;
  }
  return absl::OkStatus();
}

// Notes the elements when all shapes are static and any input's are known.
void PropagateParts(InferContext& context, int axis) {
  if (!context.wants_values()) return;
  int64_t total = 0, outer = 1;
  std::vector<int64_t> runs;  // elements of each input in a row of the output
  bool any_known = false;
  for (int i = 0; i < context.input_count(); ++i) {
    const absl::StatusOr<Shape> shape = context.shape(i).ToShape();
    if (!shape.ok()) return;
    const absl::StatusOr<int64_t> count = shape->ElementCount();
    if (!count.ok() || *count > ValueRange::kMaxElements) return;
    outer = shape->Count(0, axis);
    runs.push_back(shape->Count(axis, shape->rank()));
    total += *count;
    any_known = any_known || context.value(i) != nullptr;
  }
  if (!any_known || total > ValueRange::kMaxElements) return;
  std::vector<ValueRange::Interval> elements;
  for (int64_t row = 0; row < outer; ++row) {
    for (int i = 0; i < context.input_count(); ++i) {
      const ValueRange* value = context.value(i);
      for (int64_t j = row * runs[i]; j < (row + 1) * runs[i]; ++j) {
        elements.push_back(value != nullptr ? (*value)[j] : UnknownElement());
      }
    }
  }
  context.SetValue(0, ValueRange(std::move(elements)));
}

}  // namespace

absl::Status InferConcat(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const ElementType type,
      RequireSameType(context, 0, context.input_count() - 1));
  const int64_t axis = context.attributes<ConcatAttributes>().axis;
  PartialShape shape;
  int first = -1, checked = 0;
  bool all_ranks_known = true;
  for (int i = 0; i < context.input_count(); ++i) {
    if (!context.shape(i).rank_known()) {
      all_ranks_known = false;
    } else if (first >= 0) {
      DOVETAIL_RETURN_IF_ERROR(Append(context, i, first, checked, shape));
    } else {
      first = i;
      shape = context.shape(i);
      DOVETAIL_ASSIGN_OR_RETURN(checked,
                                CheckedAxis(context, axis, shape.rank()));
    }
  }
  if (first >= 0 && !all_ranks_known) {
    shape[checked] = Dimension(shape[checked].min(), Dimension::kInfinity);
  }
  context.SetOutput(0, type, std::move(shape));
  if (first >= 0 && all_ranks_known) PropagateParts(context, checked);
  return absl::OkStatus();
}

}  // namespace dovetail
