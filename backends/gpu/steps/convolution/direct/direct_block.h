// The choice of how much of a convolution a work item computes.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_BLOCK_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_BLOCK_H_

#include <cstdint>

#include "dovetail/backends/gpu/steps/convolution/direct/direct_kernel.h"

namespace dovetail::gpu {

// For rows of `width` pixels and groups of `channels` output channels. No
// block is wider than a row.
DirectBlock ChooseBlock(int lanes, int64_t width, int64_t channels);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_BLOCK_H_
