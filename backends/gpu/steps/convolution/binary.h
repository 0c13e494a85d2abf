// BinaryConvolution.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_BINARY_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_BINARY_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32, with a constant kernel.
absl::StatusOr<bool> EmitBinaryConvolution(const Node& node,
                                           PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_BINARY_H_
