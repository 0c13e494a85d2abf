// Kernels that cut images into patches and put them together again.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_PATCHES_PATCHES_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_PATCHES_PATCHES_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Elements outside of the image are 0. Whole-byte types.
absl::Status ExtractImagePatchesKernel(KernelContext& context);
// Elements that no patch covers are 0; sums of integers wrap.
absl::Status Col2ImKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_PATCHES_PATCHES_H_
