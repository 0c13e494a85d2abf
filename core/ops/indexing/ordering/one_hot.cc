#include "dovetail/core/ops/indexing/ordering/one_hot.h"

#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {

absl::Span<const EnumName> EnumNames(NegativeIndices) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(NegativeIndices::kIgnore), "ignore_negative"},
      {static_cast<int>(NegativeIndices::kIgnore), "ignore-negative"},
      {static_cast<int>(NegativeIndices::kNormalize), "normalize"},
  };
  return kNames;
}

int64_t OneHotAxis(const Node& node) {
  if (const auto* attributes = node.As<OneHotAttributes>()) {
    return attributes->axis;
  }
  return node.As<OneHot16Attributes>()->axis;
}

absl::Status InferOneHot(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 0));
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, 2, 3));
  for (int i = 1; i <= 3; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, 0));
  }
  Dimension depth = Dimension::Unknown();
  if (const ValueRange* value = context.value(1)) {
    if ((*value)[0].upper < 0) {
      return context.Error("input 1, depth, is ", (*value)[0].upper,
                           ", want 0 or more");
    }
    depth = ExtentOf((*value)[0]);
  }
  const PartialShape& indices = context.shape(0);
  PartialShape shape;
  if (indices.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis,
        CheckedAxis(context, OneHotAxis(context.node()), indices.rank() + 1));
    std::vector<Dimension> dims(indices.begin(), indices.end());
    dims.insert(dims.begin() + axis, depth);
    shape = PartialShape(std::move(dims));
  }
  context.SetOutput(0, type, std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
