// The emitter of nodes that a custom kernel computes.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CUSTOM_EMIT_CUSTOM_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CUSTOM_EMIT_CUSTOM_H_

#include "absl/status/status.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/extensions/custom_kernels/custom_kernel.h"

namespace dovetail::gpu {

// Adds the launch of `kernel`, and of copies where its tensors are not BFYX.
// kInvalidArgument, with the kernel's file and line and the layer, where the
// two do not fit together.
absl::Status EmitCustom(const CustomKernel& kernel, const Node& node,
                        PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CUSTOM_EMIT_CUSTOM_H_
