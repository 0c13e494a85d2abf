#include "dovetail/core/ops/movement/joining/split.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// Gives every output the same shape.
void SetAllOutputs(InferContext& context, const PartialShape& shape) {
  for (int i = 0; i < context.output_count(); ++i) {
    context.SetOutput(i, context.type(0), shape);
  }
}

// The axis, as far as it is known with the rank of the data.
absl::StatusOr<std::optional<int>> SplitAxis(const InferContext& context) {
  const std::optional<int64_t> axis = context.scalar_int(1);
  if (!axis.has_value() || !context.shape(0).rank_known()) return std::nullopt;
  DOVETAIL_ASSIGN_OR_RETURN(const int checked,
                            CheckedAxis(context, *axis, context.shape(0).rank(),
                                        "input 1, the axis,"));
  return checked;
}

void PropagateParts(InferContext& context, int axis) {
  const ValueRange* value = context.value(0);
  const absl::StatusOr<Shape> shape = context.shape(0).ToShape();
  if (!context.wants_values() || value == nullptr || !shape.ok()) return;
  int64_t start = 0;
  for (int i = 0; i < context.output_count(); ++i) {
    const Dimension& extent = context.outputs()[i].shape[axis];
    if (extent.is_dynamic()) return;
    context.SetValue(i, PickValues(*value, Narrowed(PackedView(*shape), axis,
                                                    start, extent.value())));
    start += extent.value();
  }
}

// The extents of the parts of `whole`, of which one may be -1.
absl::StatusOr<std::vector<Dimension>> PartExtents(
    const InferContext& context, const std::vector<int64_t>& lengths,
    const Dimension& whole) {
  int64_t sum = 0;
  int rest = -1;
  std::vector<Dimension> parts;
  for (size_t i = 0; i < lengths.size(); ++i) {
    const std::optional<int64_t> next =
        CheckedAdd(sum, lengths[i] < 0 ? 0 : lengths[i]);
    if (lengths[i] < -1 || (lengths[i] == -1 && rest >= 0) || !next) {
      return context.Error("input 2, the lengths, is [",
                           absl::StrJoin(lengths, ","),
                           "], want numbers from 0 on and at most one -1");
    }
    sum = *next;
    parts.push_back(lengths[i] < 0 ? Dimension::Unknown()
                                   : Dimension(lengths[i]));
    if (lengths[i] < 0) rest = static_cast<int>(i);
  }
  const bool fits = rest < 0 ? whole.Contains(sum) : sum <= whole.max();
  if (!fits) {
    return context.Error("input 2, the lengths [", absl::StrJoin(lengths, ","),
                         "], sums to ", sum, ", but the axis has extent ",
                         whole.ToString());
  }
  if (rest >= 0) parts[rest] = whole - Dimension(sum);
  return parts;
}

}  // namespace

absl::Status InferSplit(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 0));
  const int64_t count = context.attributes<SplitAttributes>().num_splits;
  if (count < 1 || count > kMaxSplits) {
    return context.Error("num_splits is ", count, ", want 1 to ", kMaxSplits);
  }
  context.SetOutputCount(static_cast<int>(count));
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<int> axis, SplitAxis(context));
  PartialShape shape = context.shape(0);
  if (!axis.has_value()) {
    SetAllOutputs(context, shape.rank_known() ? UnknownOfRank(shape.rank())
                                              : shape);
    return absl::OkStatus();
  }
  const Dimension whole = shape[*axis];
  if (whole.is_static() && whole.value() % count != 0) {
    return context.Error("input 0 of shape ", shape.ToString(), " has ",
                         whole.value(), " on axis ", *axis,
                         ", which num_splits = ", count, " does not divide");
  }
  shape[*axis] = Dimension(CeilDivide(whole, count).min(),
                           FloorDivide(whole, count).max());
  SetAllOutputs(context, shape);
  PropagateParts(context, *axis);
  return absl::OkStatus();
}

absl::Status InferVariadicSplit(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 2));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, 1));
  const Dimension count = LengthOf(context, 2);
  if (count.min() > kMaxSplits || count == Dimension(0)) {
    return context.Error("input 2, the lengths, has ", count.ToString(),
                         " elements, want 1 to ", kMaxSplits);
  }
  // The number of outputs stays as it is while the lengths' is not known.
  const int64_t outputs =
      count.is_static() ? count.value() : context.node().output_count();
  context.SetOutputCount(static_cast<int>(std::max<int64_t>(outputs, 1)));
  DOVETAIL_ASSIGN_OR_RETURN(const std::optional<int> axis, SplitAxis(context));
  PartialShape shape = context.shape(0);
  if (!axis.has_value()) {
    SetAllOutputs(context, shape.rank_known() ? UnknownOfRank(shape.rank())
                                              : shape);
    return absl::OkStatus();
  }
  const std::optional<std::vector<int64_t>> lengths = context.ints(2);
  if (!lengths.has_value()) {
    shape[*axis] = Dimension(0, shape[*axis].max());
    SetAllOutputs(context, shape);
    return absl::OkStatus();
  }
  DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Dimension> parts,
                            PartExtents(context, *lengths, shape[*axis]));
  for (int i = 0; i < context.output_count(); ++i) {
    shape[*axis] = parts[i];
    context.SetOutput(i, context.type(0), shape);
  }
  PropagateParts(context, *axis);
  return absl::OkStatus();
}

}  // namespace dovetail
