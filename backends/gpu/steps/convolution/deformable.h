// DeformableConvolution.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DEFORMABLE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DEFORMABLE_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32.
absl::StatusOr<bool> EmitDeformableConvolution(const Node& node,
                                               PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DEFORMABLE_H_
