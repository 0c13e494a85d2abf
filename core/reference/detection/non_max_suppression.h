// Kernel of NonMaxSuppression.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_NON_MAX_SUPPRESSION_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_NON_MAX_SUPPRESSION_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/detection/suppression/box_cover.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Greedy suppression, hard or, with a sigma above 0, soft: a box's score falls
// with exp(-overlap^2 / (2 sigma)) for each better box (Bodla et al.,
// "Soft-NMS", 2017). A box whose overlap is above the threshold goes. Where no
// box is asked for, as by a max_output_boxes_per_class of 0 or none, the
// outputs have no row.
absl::Status NonMaxSuppressionKernel(KernelContext& context);

// The same with sets of boxes that `make_cover` makes.
absl::Status NonMaxSuppression(KernelContext& context,
                               MakeBoxCoverFn make_cover);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_NON_MAX_SUPPRESSION_H_
