#include "dovetail/core/ops/movement/reshaping/transpose.h"

#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

bool IsPermutation(const std::vector<int64_t>& order) {
  std::vector<bool> seen(order.size(), false);
  for (int64_t axis : order) {
    if (axis < 0 || axis >= static_cast<int64_t>(order.size()) || seen[axis]) {
      return false;
    }
    seen[axis] = true;
  }
  return true;
}

void PropagateOrder(InferContext& context, const std::vector<int64_t>& order) {
  const ValueRange* value = context.value(0);
  const absl::StatusOr<Shape> shape = context.shape(0).ToShape();
  if (!context.wants_values() || value == nullptr || !shape.ok()) return;
  const std::vector<int> axes(order.begin(), order.end());
  context.SetValue(0, PickValues(*value, Permuted(PackedView(*shape), axes)));
}

}  // namespace

absl::Status InferTranspose(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  const PartialShape& data = context.shape(0);
  std::optional<std::vector<int64_t>> order = context.ints(1);
  const bool reverse = LengthOf(context, 1) == Dimension(0);
  if (!reverse) DOVETAIL_RETURN_IF_ERROR(RequireLengthIsRank(context, 1, 0));
  if (reverse && data.rank_known()) {
    order.emplace(data.rank());
    std::iota(order->rbegin(), order->rend(), 0);
  }
  if (order.has_value() && !IsPermutation(*order)) {
    return context.Error("input 1, the order, is [", absl::StrJoin(*order, ","),
                         "], want each axis of the input once");
  }
  if (!order.has_value() || !data.rank_known()) {
    PartialShape shape = data.rank_known() ? UnknownOfRank(data.rank())
                         : reverse         ? PartialShape::DynamicRank()
                                           : ShapeOfLength(context.shape(1));
    context.SetOutput(0, context.type(0), std::move(shape));
    return absl::OkStatus();
  }
  PartialShape shape = PartialShape::OfRank(0);
  for (int64_t axis : *order) shape.push_back(data[static_cast<int>(axis)]);
  context.SetOutput(0, context.type(0), std::move(shape));
  PropagateOrder(context, *order);
  return absl::OkStatus();
}

}  // namespace dovetail
