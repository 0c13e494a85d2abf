#include "dovetail/core/ops/movement/layout/depth_space.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

// The number of elements in a block: block_size for each spatial axis.
absl::StatusOr<int64_t> BlockVolume(const InferContext& context) {
  const int64_t size = context.attributes<DepthSpaceAttributes>().block_size;
  if (size < 1) {
    return context.Error("block_size is ", size, ", want 1 or more");
  }
  std::optional<int64_t> volume = 1;
  for (int axis = 2; axis < context.shape(0).rank() && volume; ++axis) {
    volume = CheckedMultiply(*volume, size);
  }
  if (!volume.has_value()) {
    return context.Error("block_size ", size, " is too large for rank ",
                         context.shape(0).rank());
  }
  return *volume;
}

absl::StatusOr<Dimension> Divided(const InferContext& context, int axis,
                                  int64_t divisor) {
  const Dimension& extent = context.shape(0)[axis];
  const Dimension result(CeilDivide(extent, divisor).min(),
                         FloorDivide(extent, divisor).max());
  if (result.min() <= result.max()) return result;
  return context.Error("input 0 of shape ", context.shape(0).ToString(),
                       " has ", extent.ToString(), " on axis ", axis,
                       ", want a multiple of ", divisor,
                       " for this block_size");
}

}  // namespace

absl::Span<const EnumName> EnumNames(DepthSpaceMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(DepthSpaceMode::kBlocksFirst), "blocks_first"},
      {static_cast<int>(DepthSpaceMode::kDepthFirst), "depth_first"},
  };
  return kNames;
}

absl::Status InferDepthToSpace(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 3));
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) {
    const int64_t size = context.attributes<DepthSpaceAttributes>().block_size;
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t volume, BlockVolume(context));
    DOVETAIL_ASSIGN_OR_RETURN(shape[1], Divided(context, 1, volume));
    for (int axis = 2; axis < shape.rank(); ++axis) {
      shape[axis] = shape[axis] * Dimension(size);
    }
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferSpaceToDepth(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 3));
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) {
    const int64_t size = context.attributes<DepthSpaceAttributes>().block_size;
    DOVETAIL_ASSIGN_OR_RETURN(const int64_t volume, BlockVolume(context));
    shape[1] = shape[1] * Dimension(volume);
    for (int axis = 2; axis < shape.rank(); ++axis) {
      DOVETAIL_ASSIGN_OR_RETURN(shape[axis], Divided(context, axis, size));
    }
  }
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
