// Convolutions of each channel by itself.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DEPTHWISE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DEPTHWISE_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32 by constant weights, of blocks of 16 channels: one channel in and one
// out in each group.
absl::StatusOr<bool> EmitDepthwiseConvolution(const Node& node,
                                              PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DEPTHWISE_H_
