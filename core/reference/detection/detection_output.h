// Kernel of DetectionOutput.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_DETECTION_OUTPUT_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_DETECTION_OUTPUT_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/detection/suppression/box_cover.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Rows (image, label, confidence, x1, y1, x2, y2) by image, label and falling
// confidence; a row that begins with -1 ends the list when it is not full, and
// zeros follow.
absl::Status DetectionOutputKernel(KernelContext& context);

// The same with sets of boxes that `make_cover` makes.
absl::Status DetectionOutput(KernelContext& context, MakeBoxCoverFn make_cover);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_DETECTION_OUTPUT_H_
