// Gather, GatherElements and GatherND.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_GATHER_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_GATHER_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitGather(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitGatherElements(const Node& node,
                                        PlanBuilder& builder);
absl::StatusOr<bool> EmitGatherNd(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_GATHER_H_
