// The kernel of Interpolate.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_INTERPOLATE_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_INTERPOLATE_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Axis by axis, because every mode is a product of one function an axis.
// Integers are computed as floats, rounded to the nearest, ties to even, and
// saturated: at the end, and in the modes of Pillow after each axis, as Pillow
// itself does it.
absl::Status InterpolateKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_INTERPOLATE_H_
