#include "dovetail/core/ops/movement/layout/reverse.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {

absl::Span<const EnumName> EnumNames(ReverseMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(ReverseMode::kIndex), "index"},
      {static_cast<int>(ReverseMode::kMask), "mask"},
  };
  return kNames;
}

absl::Status InferReverse(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  const PartialShape& data = context.shape(0);
  if (context.attributes<ReverseAttributes>().mode == ReverseMode::kMask) {
    DOVETAIL_RETURN_IF_ERROR(RequireBoolean(context, 1));
    DOVETAIL_RETURN_IF_ERROR(RequireLengthIsRank(context, 1, 0));
  } else {
    DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
    const std::optional<std::vector<int64_t>> axes = context.ints(1);
    if (axes.has_value() && data.rank_known()) {
      DOVETAIL_RETURN_IF_ERROR(
          CheckedAxes(context, *axes, data.rank(), "input 1, axes,").status());
    }
  }
  context.SetOutput(0, context.type(0), data);
  return absl::OkStatus();
}

}  // namespace dovetail
