// Groups of elementwise operations as one kernel.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_ELEMENTWISE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_ELEMENTWISE_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// The node with those that follow it and have its shape, of all types that have
// expressions (codegen/expressions.h). Of blocks of 16 channels where the data
// is stored so.
absl::StatusOr<bool> EmitElementwise(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_ELEMENTWISE_H_
