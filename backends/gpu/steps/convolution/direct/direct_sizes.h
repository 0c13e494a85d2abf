// Counts and distances that the direct kernel is given.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_SIZES_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_SIZES_H_

#include <cstdint>

#include "dovetail/backends/gpu/compiler/emitter.h"
#include "dovetail/backends/gpu/steps/convolution/common/float_problem.h"
#include "dovetail/backends/gpu/steps/convolution/common/packing.h"
#include "dovetail/backends/gpu/steps/convolution/common/padded.h"
#include "dovetail/backends/gpu/steps/convolution/common/windows.h"
#include "dovetail/backends/gpu/steps/convolution/direct/direct_kernel.h"

namespace dovetail::gpu {

// Where the elements of data and result are. What it refers to outlives it.
struct DirectGeometry {
  const ConvolutionProblem& problem;
  const MergedGroups& channels;
  const Windows& windows;
  const PixelPlanes& data;  // without padding
  int64_t result_pixel;     // channels side by side in the result

  bool NeedsPadding() const;
  // Whether rows and planes are as good as one long row: a window of one
  // element that visits all.
  bool IsFlat(const Phase& phase) const;
  // Pixels of a row of results.
  int64_t WidthOf(const Phase& phase) const;

  // All but channels_first and ahead_lines, which are 0.
  DirectSizes SizesOf(const Phase& phase, const PackedForm& form) const;
};

void AddSizes(const DirectSizes& sizes, Launch& launch);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_CONVOLUTION_DIRECT_DIRECT_SIZES_H_
