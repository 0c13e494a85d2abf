// Functions of kernels that read feature maps between their elements.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ROI_SAMPLE_TEXT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ROI_SAMPLE_TEXT_H_

#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

// roi_clamp(value, low, high): the integer of a float, as a long; low of NaN.
// roi_near(position, extent): whether interpolation reaches it.
// roi_sample(plane, height, width, y, x): the value there, of the nearest
// elements where it lies outside.
void AddSampleFunctions(Launch& launch);

// roi_bin(start, size, bin, ratio, extent): the samples [first, last) of a
// bin along an axis, of which number i lies at begin + step * (i + 0.5); out
// of `count`.
// roi_mean(plane, height, width, y, x, is_max): their mean, or the greatest of
// them and 0, in a bin that two of these make up.
void AddBinFunctions(Launch& launch);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ROI_SAMPLE_TEXT_H_
