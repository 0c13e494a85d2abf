// ScatterUpdate, ScatterNDUpdate and ScatterElementsUpdate.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_SCATTER_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_SCATTER_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// A constant axis, indices of i32 or i64. Runs of whole bytes are replaced;
// f32, i32 and i64 are combined, too. Constant indices are looked at once.
absl::StatusOr<bool> EmitScatterUpdate(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitScatterNdUpdate(const Node& node,
                                         PlanBuilder& builder);
// No means, and none where the data's elements do not take part.
absl::StatusOr<bool> EmitScatterElementsUpdate(const Node& node,
                                               PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_SCATTER_H_
