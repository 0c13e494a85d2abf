#include "dovetail/core/ops/indexing/scatter/scatter_nd_update.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/indexing/scatter/scattered_values.h"

namespace dovetail {
namespace {

// Known ranks and number of coordinates.
absl::Status CheckUpdates(const InferContext& context, int64_t tuple) {
  const PartialShape& data = context.shape(0);
  const PartialShape& indices = context.shape(1);
  if (tuple > data.rank()) {
    return context.Error("input 1 of shape ", indices.ToString(), " has ",
                         tuple, " coordinates an index, want at most ",
                         data.rank(), " for input 0 of shape ",
                         data.ToString());
  }
  PartialShape want = PartialShape::OfRank(0);
  for (int i = 0; i + 1 < indices.rank(); ++i) want.push_back(indices[i]);
  for (int i = static_cast<int>(tuple); i < data.rank(); ++i) {
    want.push_back(data[i]);
  }
  if (want.Compatible(context.shape(2))) return absl::OkStatus();
  return context.Error("input 2, the updates, has shape ",
                       context.shape(2).ToString(), ", want ",
                       want.ToString());
}

bool Replaces(const Node& node) {
  const auto* attributes = node.As<ScatterNDUpdateAttributes>();
  return attributes == nullptr ||
         attributes->reduction == ScatterNDReduction::kNone;
}

void PropagateUpdate(InferContext& context, int tuple) {
  const std::optional<ScatterShapes> shapes = ShapesOfKnownScatter(context);
  if (!shapes.has_value() || !Replaces(context.node())) return;
  const std::vector<int64_t> indices = *context.ints(1);
  const Shape& data = shapes->data;
  const int64_t inner = data.Count(tuple, data.rank());
  PropagateScattered(
      context, *shapes, [&](int64_t i) -> std::optional<int64_t> {
        int64_t row = 0;
        for (int axis = 0; axis < tuple; ++axis) {
          const auto at =
              PlaceOnAxis(indices[i / inner * tuple + axis], data[axis]);
          if (!at.has_value()) return std::nullopt;
          row = row * data[axis] + *at;
        }
        return row * inner + i % inner;
      });
}

}  // namespace

absl::Span<const EnumName> EnumNames(ScatterNDReduction) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(ScatterNDReduction::kNone), "none"},
      {static_cast<int>(ScatterNDReduction::kSum), "sum"},
      {static_cast<int>(ScatterNDReduction::kSub), "sub"},
      {static_cast<int>(ScatterNDReduction::kProd), "prod"},
      {static_cast<int>(ScatterNDReduction::kMin), "min"},
      {static_cast<int>(ScatterNDReduction::kMax), "max"},
  };
  return kNames;
}

absl::Status InferScatterNDUpdate(InferContext& context) {
  DOVETAIL_ASSIGN_OR_RETURN(const ElementType type,
                            RequireSameType(context, {0, 2}));
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 1, 1));
  const PartialShape& data = context.shape(0);
  const PartialShape& indices = context.shape(1);
  context.SetOutput(0, type, data);
  if (data.rank_known() && indices.rank_known()) {
    const Dimension& tuple = indices[indices.rank() - 1];
    if (tuple.is_static()) {
      DOVETAIL_RETURN_IF_ERROR(CheckUpdates(context, tuple.value()));
      PropagateUpdate(context, static_cast<int>(tuple.value()));
    }
  }
  return absl::OkStatus();
}

}  // namespace dovetail
