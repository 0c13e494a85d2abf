// Kernels of the experimental operations of Detectron. All of them compute on
// f32 tensors: see OnFloats.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_DETECTRON_DETECTRON_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_DETECTRON_DETECTRON_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status DetectronDetectionOutputKernel(KernelContext& context);
absl::Status PriorGridKernel(KernelContext& context);
absl::Status TopKRoisKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_DETECTRON_DETECTRON_H_
