#include "dovetail/core/ops/elementwise/select.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/value_math.h"

namespace dovetail {
namespace {

absl::StatusOr<PartialShape> SelectShape(const InferContext& context,
                                         AutoBroadcast mode) {
  DOVETAIL_ASSIGN_OR_RETURN(const PartialShape branches,
                            BroadcastInputs(context, mode, 1, 2));
  const PartialShape& condition = context.shape(0);
  const std::optional<PartialShape> shape =
      BroadcastBy(mode, branches, condition);
  if (shape.has_value()) return *shape;
  return context.Error("shape ", condition.ToString(),
                       " of the condition does not fit ", branches.ToString(),
                       " of both branches");
}

// What is known of one input's elements where an output's elements come from.
struct Source {
  const ValueRange* value;
  std::vector<int64_t> map;
  Interval at(int64_t i) const { return (*value)[map[i]]; }
};

std::optional<Source> SourceOf(const InferContext& context, int input,
                               const Shape& to, AutoBroadcast mode) {
  const ValueRange* value = context.value(input);
  const absl::StatusOr<Shape> from = context.shape(input).ToShape();
  if (value == nullptr || !from.ok()) return std::nullopt;
  return Source{value, BroadcastMap(*from, to, mode)};
}

void PropagateSelect(InferContext& context, AutoBroadcast mode) {
  const absl::StatusOr<Shape> to = context.outputs()[0].shape.ToShape();
  if (!context.wants_values() || !to.ok()) return;
  const absl::StatusOr<int64_t> count = to->ElementCount();
  if (!count.ok() || *count > ValueRange::kMaxElements) return;
  const auto condition = SourceOf(context, 0, *to, mode);
  const auto then = SourceOf(context, 1, *to, mode);
  const auto otherwise = SourceOf(context, 2, *to, mode);
  if (!condition || !then || !otherwise) return;
  std::vector<Interval> elements;
  for (int64_t i = 0; i < *count; ++i) {
    const Interval a = then->at(i), b = otherwise->at(i);
    const Interval c = condition->at(i);
    if (c.is_exact()) {
      elements.push_back(c.lower != 0 ? a : b);
    } else {
      elements.push_back(
          {std::min(a.lower, b.lower), std::max(a.upper, b.upper)});
    }
  }
  context.SetValue(0, ValueRange(std::move(elements)));
}

}  // namespace

absl::Status InferSelect(InferContext& context) {
  const AutoBroadcast mode =
      context.attributes<BinaryAttributes>().auto_broadcast;
  DOVETAIL_RETURN_IF_ERROR(RequireBoolean(context, 0));
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, 1, 2));
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape, SelectShape(context, mode));
  context.SetOutput(0, type, std::move(shape));
  PropagateSelect(context, mode);
  return absl::OkStatus();
}

}  // namespace dovetail
