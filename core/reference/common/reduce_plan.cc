#include "dovetail/core/reference/common/reduce_plan.h"

#include <algorithm>

namespace dovetail {

ReducePlan PlanReduction(const Shape& shape,
                         const std::vector<bool>& reduced) {
  ReducePlan plan;
  int64_t stride = 1;
  bool first = true, last_reduced = false;
  // From the innermost axis on, because there strides are known.
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const int64_t extent = shape[axis];
    (reduced[axis] ? plan.reduced_count : plan.output_count) *= extent;
    if (extent == 1) continue;
    auto& groups = reduced[axis] ? plan.reduced : plan.kept;
    if (!first && last_reduced == reduced[axis]) {
      groups.back().extent *= extent;
    } else {
      groups.push_back({extent, stride});
    }
    if (first) plan.inner_is_kept = !reduced[axis];
    first = false;
    last_reduced = reduced[axis];
    stride *= extent;
  }
  std::reverse(plan.kept.begin(), plan.kept.end());
  std::reverse(plan.reduced.begin(), plan.reduced.end());
  return plan;
}

int64_t GroupOffset(const std::vector<ReducePlan::Group>& groups, size_t count,
                    int64_t index) {
  int64_t offset = 0;
  for (size_t i = count; i-- > 0;) {
    offset += index % groups[i].extent * groups[i].stride;
    index /= groups[i].extent;
  }
  return offset;
}

}  // namespace dovetail
