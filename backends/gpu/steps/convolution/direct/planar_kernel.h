// The text of the kernel that computes convolutions of few channels.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_PLANAR_KERNEL_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_PLANAR_KERNEL_H_

#include <cstdint>
#include <string>

#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::gpu {

// A work item computes `outputs` channels of `vectors` vectors of `lanes`
// neighbors of a row, in registers. Windows are one element apart.
struct PlanarBlock {
  int lanes = 16, vectors = 4, outputs = 4;
  ElementType data = ElementType::kF32;    // as it is stored, or f16
  ElementType stored = ElementType::kF32;  // weights and result, or f16

  int pixels() const { return lanes * vectors; }
};

// For rows of `width` pixels, at least as many as lanes.
PlanarBlock ChoosePlanarBlock(int lanes, int64_t width, int64_t outputs);

// Text of the body. Its range, buffers and ints are those of DirectBody, on
// planar data and a planar result, where a block is one channel. `epilogue` is
// a text of pixels.
std::string PlanarBody(const PlanarBlock& block, const std::string& epilogue);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_PLANAR_KERNEL_H_
