// The loops of operations on all elements along some axes.
#ifndef DOVETAIL_CORE_REFERENCE_COMMON_REDUCE_PLAN_H_
#define DOVETAIL_CORE_REFERENCE_COMMON_REDUCE_PLAN_H_

#include <cstdint>
#include <vector>

#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail {

// The axes of the data, joined where neighbours share their fate. Each group is
// an extent and its distance in elements.
struct ReducePlan {
  struct Group {
    int64_t extent, stride;
  };
  std::vector<Group> kept;     // make up the output in C order
  std::vector<Group> reduced;  // each output element reads all of these
  bool inner_is_kept = false;  // whether the last group of all is a kept one
  int64_t output_count = 1;
  int64_t reduced_count = 1;
};

// The plan for data of that shape; one flag an axis says whether it goes.
ReducePlan PlanReduction(const Shape& shape, const std::vector<bool>& reduced);

// The distance from the first element to element `index` in C order of groups
// [0, count).
int64_t GroupOffset(const std::vector<ReducePlan::Group>& groups, size_t count,
                    int64_t index);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_COMMON_REDUCE_PLAN_H_
