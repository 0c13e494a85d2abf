// InstanceNorm and GroupNorm of images whose channels, all or in blocks, are
// the last axis, with what follows.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_PIXEL_NORM_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_PIXEL_NORM_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/backends/cpu/compiler/emitter.h"
#include "dovetail/backends/cpu/kernels/normalization/variance.h"

namespace dovetail::cpu {

// Of input 0 of a node, which is stored in `layout` and HasPixels in it.
struct PixelNorm {
  const char* name = "";  // of the step
  Layout layout = Layout::kChannelsLast;
  int64_t groups = 1;
  VarianceOptions options;
  // f32, a number for each channel; empty for 1 and 0.
  Operand scale, shift;
  // The normalized numbers, scaled and shifted.
  Value result;
};

// Reads bf16 where it is stored, stores bf16 where the plan says so, and takes
// in what a PixelEpilogue can say.
absl::Status EmitPixelNorm(const Node& node, const PixelNorm& norm,
                           PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_PIXEL_NORM_H_
