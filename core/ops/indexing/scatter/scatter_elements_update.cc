#include "dovetail/core/ops/indexing/scatter/scatter_elements_update.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/axes.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/indexing/scatter/scattered_values.h"

namespace dovetail {
namespace {

// Indices may be fewer than the data's elements on other axes, not more.
absl::Status CheckIndices(const InferContext& context, int axis) {
  const PartialShape& data = context.shape(0);
  const PartialShape& indices = context.shape(1);
  for (int i = 0; i < data.rank() && indices.rank_known(); ++i) {
    if (i == axis || indices[i].min() <= data[i].max()) continue;
    return context.Error("input 1 of shape ", indices.ToString(), " has ",
                         indices[i].ToString(), " on axis ", i,
                         ", want at most ", data[i].ToString(),
                         " as input 0 of shape ", data.ToString());
  }
  return absl::OkStatus();
}

bool Replaces(const Node& node) {
  const auto* attributes = node.As<ScatterElementsUpdateAttributes>();
  return attributes == nullptr ||
         attributes->reduction == ScatterReduction::kNone;
}

void PropagateUpdate(InferContext& context, int axis) {
  const std::optional<ScatterShapes> shapes = ShapesOfKnownScatter(context);
  if (!shapes.has_value() || !Replaces(context.node())) return;
  const std::vector<int64_t> indices = *context.ints(1);
  const Shape& data = shapes->data;
  PropagateScattered(
      context, *shapes, [&](int64_t i) -> std::optional<int64_t> {
        int64_t rest = i, result = 0, stride = 1;
        for (int a = data.rank() - 1; a >= 0; --a) {
          const int64_t here = rest % shapes->indices[a];
          rest /= shapes->indices[a];
          const auto at = PlaceOnAxis(a == axis ? indices[i] : here, data[a]);
          if (!at.has_value()) return std::nullopt;
          result += *at * stride;
          stride *= data[a];
        }
        return result;
      });
}

}  // namespace

absl::Span<const EnumName> EnumNames(ScatterReduction) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(ScatterReduction::kNone), "none"},
      {static_cast<int>(ScatterReduction::kSum), "sum"},
      {static_cast<int>(ScatterReduction::kProd), "prod"},
      {static_cast<int>(ScatterReduction::kMin), "min"},
      {static_cast<int>(ScatterReduction::kMax), "max"},
      {static_cast<int>(ScatterReduction::kMean), "mean"},
  };
  return kNames;
}

absl::Status InferScatterElementsUpdate(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, {0, 2}));
  const auto* attributes =
      context.node().As<ScatterElementsUpdateAttributes>();
  if (attributes != nullptr && type == ElementType::kBoolean &&
      attributes->reduction == ScatterReduction::kMean) {
    return context.Error("reduction is mean, want another one for boolean");
  }
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 3));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  const PartialShape& data = context.shape(0);
  if (!context.shape(1).Compatible(context.shape(2))) {
    return context.Error("input 2, the updates, has shape ",
                         context.shape(2).ToString(), ", want ",
                         context.shape(1).ToString(), " as the indices");
  }
  if (data.rank_known()) {
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, data.rank()));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 2, data.rank()));
  }
  context.SetOutput(0, type, data);
  const std::optional<int64_t> number = context.scalar_int(3);
  if (number.has_value() && data.rank_known()) {
    DOVETAIL_ASSIGN_OR_RETURN(
        const int axis,
        CheckedAxis(context, *number, data.rank(), "input 3, axis,"));
    DOVETAIL_RETURN_IF_ERROR(CheckIndices(context, axis));
    PropagateUpdate(context, axis);
  }
  return absl::OkStatus();
}

}  // namespace dovetail
