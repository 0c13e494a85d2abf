// StridedSlice, Slice and SliceScatter.
#ifndef DOVETAIL_CORE_REFERENCE_MOVEMENT_SLICING_SLICE_H_
#define DOVETAIL_CORE_REFERENCE_MOVEMENT_SLICING_SLICE_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status StridedSliceKernel(KernelContext& context);
absl::Status SliceKernel(KernelContext& context);
absl::Status SliceScatterKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_MOVEMENT_SLICING_SLICE_H_
