// Copies of data with zeros around, which kernels read without looking where
// the data ends.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PADDED_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PADDED_H_

#include <array>
#include <cstdint>

#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/backends/gpu/steps/convolution/common/phases.h"

namespace dovetail::gpu {

// `planes` times depth, rows and columns of pixels, dense.
struct PixelPlanes {
  int64_t planes = 1;
  std::array<int64_t, 3> extents = {1, 1, 1};
  int pixel = 1;  // floats of a pixel, one after the other

  int64_t area() const { return extents[0] * extents[1] * extents[2]; }
  int64_t floats() const { return planes * area() * pixel; }
};

PixelPlanes Padded(PixelPlanes planes,
                   const std::array<AxisPadding, 3>& padding);

// Adds a launch that copies `data`, f32 or f16; the copy is there for steps
// that `node` adds.
Operand AddPadding(const Node& node, const Operand& data,
                   const PixelPlanes& planes,
                   const std::array<AxisPadding, 3>& padding,
                   PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_COMMON_PADDED_H_
