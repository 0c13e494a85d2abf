#ifndef DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_SLICE_SCATTER_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_SLICE_SCATTER_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Elements of whole bytes, at a constant slice.
absl::StatusOr<bool> EmitSliceScatter(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_SLICE_SCATTER_H_
