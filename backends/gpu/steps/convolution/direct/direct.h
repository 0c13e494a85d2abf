// Dense convolutions, and those of groups of several channels.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_H_

#include "dovetail/backends/gpu/compiler/emitter.h"

namespace dovetail::gpu {

// f32 by constant weights, or a weight expression: reads blocks of 16 channels,
// or planar data of few channels, and writes blocks. What reaches beyond the
// data is read from a copy with zeros around.
absl::StatusOr<bool> EmitDirectConvolution(const Node& node,
                                           PlanBuilder& builder);

// Whether a node is a Convolution or ConvolutionBackpropData that
// EmitDirectConvolution will take, and so a weight expression of its own.
bool TakesDirectConvolution(const Node& node);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_H_
