// Elementwise operations, as many in one sweep as belong together.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_ELEMENTWISE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_ELEMENTWISE_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitElementwise(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_ELEMENTWISE_H_
