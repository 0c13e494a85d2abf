// Kernels that suppress boxes: of MatrixNms and MulticlassNms, which compute on
// f32 tensors (see OnFloats), and of NMSRotated.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_SUPPRESSION_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_SUPPRESSION_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status MatrixNmsKernel(KernelContext& context);
absl::Status MulticlassNmsKernel(KernelContext& context);
absl::Status NmsRotatedKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_SUPPRESSION_H_
