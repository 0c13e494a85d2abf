// Kernel of NonMaxSuppression.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_NON_MAX_SUPPRESSION_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_NON_MAX_SUPPRESSION_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Greedy suppression, hard or, with a sigma above 0, soft: a box's score falls
// with exp(-overlap^2 / (2 sigma)) for each better box (Bodla et al.,
// "Soft-NMS", 2017). A box whose overlap is above the threshold goes.
absl::Status NonMaxSuppressionKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_NON_MAX_SUPPRESSION_H_
