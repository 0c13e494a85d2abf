// MaxPool and AvgPool, in the layout of the data, and adaptive poolings.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_POOLING_POOLING_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_POOLING_POOLING_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Any version, if nobody reads the indices.
absl::StatusOr<bool> EmitMaxPool(const Node& node, PlanBuilder& builder);
// Floats, any version.
absl::StatusOr<bool> EmitAvgPool(const Node& node, PlanBuilder& builder);
// Floats, up to three spatial axes.
absl::StatusOr<bool> EmitAdaptiveAvgPool(const Node& node,
                                         PlanBuilder& builder);
// The same, if nobody reads the indices.
absl::StatusOr<bool> EmitAdaptiveMaxPool(const Node& node,
                                         PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_POOLING_POOLING_H_
