#include "dovetail/core/ops/movement/slicing/pad.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"
#include "dovetail/core/ops/common/values.h"

namespace dovetail {
namespace {

// That `pad` elements can be made from the elements of an axis.
absl::Status CheckPad(const InferContext& context, int axis, int64_t pad) {
  const PadMode mode = context.attributes<PadAttributes>().pad_mode;
  if (pad <= 0 || mode == PadMode::kConstant) return absl::OkStatus();
  const int64_t extent = context.shape(0)[axis].max();
  const int64_t most = mode == PadMode::kReflect     ? extent - 1
                       : mode == PadMode::kSymmetric ? extent
                       : extent > 0                  ? pad
                                                     : 0;
  if (pad <= most) return absl::OkStatus();
  return context.Error("pads axis ", axis, " of input 0 of shape ",
                       context.shape(0).ToString(), " by ", pad,
                       ", want at most ", most, " in this pad_mode");
}

// An axis of `extent` with elements added or dropped at both ends.
absl::StatusOr<Dimension> PaddedExtent(const InferContext& context, int axis,
                                       const Dimension& extent, int64_t begin,
                                       int64_t end) {
  DOVETAIL_RETURN_IF_ERROR(CheckPad(context, axis, begin));
  DOVETAIL_RETURN_IF_ERROR(CheckPad(context, axis, end));
  // So that kernels may add them to positions.
  constexpr int64_t kMost = int64_t{1} << 61;
  std::optional<int64_t> both;
  if (begin >= -kMost && begin <= kMost) both = CheckedAdd(begin, end);
  const bool endless = extent.max() == Dimension::kInfinity;
  const std::optional<int64_t> min =
      both ? CheckedAdd(extent.min(), *both) : std::nullopt;
  const std::optional<int64_t> max =
      !both ? std::nullopt
            : endless ? Dimension::kInfinity : CheckedAdd(extent.max(), *both);
  if (!min || !max || *max < 0) {
    return context.Error("pads axis ", axis, " of input 0 of shape ",
                         context.shape(0).ToString(), " by ", begin, " and ",
                         end, ", which leaves no possible extent");
  }
  return Dimension(std::max<int64_t>(*min, 0), *max);
}

absl::StatusOr<PartialShape> PaddedShape(const InferContext& context) {
  const PartialShape& data = context.shape(0);
  if (!data.rank_known()) return ShapeOfLength(context.shape(1));
  const std::optional<std::vector<int64_t>> begin = context.ints(1);
  const std::optional<std::vector<int64_t>> end = context.ints(2);
  if (!begin || !end) return UnknownOfRank(data.rank());
  PartialShape shape = data;
  for (int axis = 0; axis < data.rank(); ++axis) {
    DOVETAIL_ASSIGN_OR_RETURN(
        shape[axis], PaddedExtent(context, axis, data[axis], (*begin)[axis],
                                  (*end)[axis]));
  }
  return shape;
}

}  // namespace

absl::Span<const EnumName> EnumNames(PadMode) {
  static constexpr EnumName kNames[] = {
      {static_cast<int>(PadMode::kConstant), "constant"},
      {static_cast<int>(PadMode::kEdge), "edge"},
      {static_cast<int>(PadMode::kReflect), "reflect"},
      {static_cast<int>(PadMode::kSymmetric), "symmetric"},
  };
  return kNames;
}

absl::Status InferPad(InferContext& context) {
  for (int i = 1; i <= 2; ++i) {
    DOVETAIL_RETURN_IF_ERROR(RequireInteger(context, i));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, i, 1));
    DOVETAIL_RETURN_IF_ERROR(RequireLengthIsRank(context, i, 0));
  }
  DOVETAIL_RETURN_IF_ERROR(RequireSameLength(context, 1, 2));
  ElementType type = context.type(0);
  if (context.has_input(3)) {
    DOVETAIL_ASSIGN_OR_RETURN(type, RequireSameType(context, {0, 3}));
    DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 3, 0));
  }
  DOVETAIL_ASSIGN_OR_RETURN(PartialShape shape, PaddedShape(context));
  context.SetOutput(0, type, std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
