// Convolutions of any type and form.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_GENERAL_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_GENERAL_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// By the definition, an element of the result in a work item, from planar data
// to planar data: slow.
absl::StatusOr<bool> EmitGeneralConvolution(const Node& node,
                                            PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_GENERAL_H_
