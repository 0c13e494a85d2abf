// The kernel of GridSample.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_GRID_SAMPLE_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_GRID_SAMPLE_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Positions are computed in f32. A coordinate that is no number counts as 0,
// the middle of the image.
absl::Status GridSampleKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_GRID_SAMPLE_H_
