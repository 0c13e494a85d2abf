// Kernels of the experimental operations of Detectron. All of them compute on
// f32 tensors: see OnFloats.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_DETECTRON_DETECTRON_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_DETECTRON_DETECTRON_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status DetectronDetectionOutputKernel(KernelContext& context);
// Where the attributes h and w ask for fewer cells than the feature map has,
// what is left of the output is zeros: the specification gives the output the
// feature map's cells, and says nothing of them.
absl::Status PriorGridKernel(KernelContext& context);
absl::Status TopKRoisKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_DETECTRON_DETECTRON_H_
