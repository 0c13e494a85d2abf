#include "dovetail/core/ops/quantization/broadcast_to_data.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {

PartialShape WithoutExtraAxes(const PartialShape& shape, int rank) {
  if (!shape.rank_known() || shape.rank() <= rank) return shape;
  const auto first = shape.begin() + (shape.rank() - rank);
  const bool all_one =
      std::all_of(shape.begin(), first,
                  [](const Dimension& extent) { return extent.Contains(1); });
  return all_one ? PartialShape(std::vector<Dimension>(first, shape.end()))
                 : shape;
}

absl::Status InferBroadcastToData(InferContext& context, AutoBroadcast mode) {
  DOVETAIL_ASSIGN_OR_RETURN(
      const ElementType type,
      RequireSameType(context, 0, context.input_count() - 1));
  PartialShape data = context.shape(0);
  for (int i = 1; i < context.input_count(); ++i) {
    PartialShape shape = context.shape(i);
    if (data.rank_known() && mode == AutoBroadcast::kNumpy) {
      shape = WithoutExtraAxes(shape, data.rank());
    }
    const std::optional<PartialShape> joined = BroadcastBy(mode, data, shape);
    if (!joined.has_value() || !joined->Compatible(data)) {
      return context.Error(
          "input ", i, " of shape ", context.shape(i).ToString(),
          " does not broadcast to data of shape ", data.ToString());
    }
    // An extent that is not 1 is the data's own.
    if (data.rank_known()) data = *Intersect(data, *joined);
  }
  context.SetOutput(0, type, data);
  return absl::OkStatus();
}

}  // namespace dovetail
