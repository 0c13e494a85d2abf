// Kernels of this family. All of them compute on f32 tensors: see OnFloats.
#ifndef DOVETAIL_CORE_REFERENCE_ROI_ROI_H_
#define DOVETAIL_CORE_REFERENCE_ROI_ROI_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status DeformablePsRoiPoolingKernel(KernelContext& context);
absl::Status PsRoiPoolingKernel(KernelContext& context);
absl::Status RoiAlignKernel(KernelContext& context);
absl::Status RoiAlignRotatedKernel(KernelContext& context);
absl::Status RoiFeatureExtractorKernel(KernelContext& context);
absl::Status RoiPoolingKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_ROI_ROI_H_
