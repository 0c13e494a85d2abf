// OneHot.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_ONE_HOT_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_ONE_HOT_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Indices of i32 or i64, elements of whole bytes; not for a depth that lies
// below 0, of which the reference kernel tells.
absl::StatusOr<bool> EmitOneHot(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_ONE_HOT_H_
