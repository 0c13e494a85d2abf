#include "dovetail/core/ops/common/axes.h"

#include <algorithm>

#include "dovetail/core/base/status.h"

namespace dovetail {

absl::StatusOr<int> CheckedAxis(const InferContext& context, int64_t axis,
                                int rank, absl::string_view what) {
  if (axis >= -rank && axis < rank) {
    return static_cast<int>(axis < 0 ? axis + rank : axis);
  }
  if (rank == 0) {
    return context.Error(what, " ", axis, " names an axis of a scalar");
  }
  return context.Error(what, " ", axis, " is outside of [", -rank, ", ",
                       rank - 1, "] for rank ", rank);
}

absl::StatusOr<std::vector<int>> CheckedAxes(const InferContext& context,
                                             absl::Span<const int64_t> axes,
                                             int rank,
                                             absl::string_view what) {
  std::vector<int> result;
  std::vector<bool> seen(rank, false);
  for (int64_t axis : axes) {
    DOVETAIL_ASSIGN_OR_RETURN(const int checked,
                              CheckedAxis(context, axis, rank, what));
    if (seen[checked]) {
      return context.Error(what, " has axis ", checked, " twice");
    }
    seen[checked] = true;
    result.push_back(checked);
  }
  return result;
}

absl::StatusOr<std::vector<int>> SortedAxes(const InferContext& context,
                                            absl::Span<const int64_t> axes,
                                            int rank,
                                            absl::string_view what) {
  DOVETAIL_ASSIGN_OR_RETURN(std::vector<int> result,
                            CheckedAxes(context, axes, rank, what));
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace dovetail
