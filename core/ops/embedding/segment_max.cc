#include "dovetail/core/ops/embedding/segment_max.h"

#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/common/checks.h"

namespace dovetail {
namespace {

constexpr EnumName kFillModeNames[] = {
    {static_cast<int>(FillMode::kZero), "zero"},
    {static_cast<int>(FillMode::kLowest), "lowest"},
};

// Ids are >= 0, do not fall, and leave room for one more.
absl::Status CheckIds(const InferContext& context,
                      const std::vector<int64_t>& ids) {
  int64_t before = 0;
  for (int64_t id : ids) {
    if (id < before || id == Dimension::kInfinity) {
      return context.Error("input 1 (segment_ids) has ", id, " after ", before,
                           ", want ascending numbers from 0");
    }
    before = id;
  }
  return absl::OkStatus();
}

absl::StatusOr<Dimension> SegmentCount(const InferContext& context) {
  const std::optional<std::vector<int64_t>> ids = context.ints(1);
  if (ids.has_value()) {
    DOVETAIL_RETURN_IF_ERROR(CheckIds(context, *ids));
  }
  if (!context.has_input(2)) {
    if (!ids.has_value()) return Dimension::Unknown();
    return Dimension(ids->empty() ? 0 : ids->back() + 1);
  }
  const std::optional<int64_t> count = context.scalar_int(2);
  if (!count.has_value()) return Dimension::Unknown();
  if (*count >= 0) return Dimension(*count);
  return context.Error("input 2 (num_segments) is ", *count,
                       ", want at least 0");
}

}  // namespace

absl::Span<const EnumName> EnumNames(FillMode) { return kFillModeNames; }

absl::Status InferSegmentMax(InferContext& context) {
  DOVETAIL_RETURN_IF_ERROR(RequireRankAtLeast(context, 0, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 1));
  DOVETAIL_RETURN_IF_ERROR(RequireRank(context, 1, 1));
  if (context.shape(0).rank_known() && context.shape(1).rank_known()) {
    DOVETAIL_RETURN_IF_ERROR(
        RequireSameDimension(context, 0, 0, 1, 0, "the number of rows")
            .status());
  }
  if (context.has_input(2)) {
    DOVETAIL_RETURN_IF_ERROR(RequireIndex(context, 2));
    DOVETAIL_RETURN_IF_ERROR(RequireSingleElement(context, 2));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Dimension count, SegmentCount(context));
  PartialShape shape = context.shape(0);
  if (shape.rank_known()) shape[0] = count;
  context.SetOutput(0, context.type(0), std::move(shape));
  return absl::OkStatus();
}

}  // namespace dovetail
