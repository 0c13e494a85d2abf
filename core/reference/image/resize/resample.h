// Resizes tensors by the taps of their axes.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_RESAMPLE_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_RESAMPLE_H_

#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/reference/image/resize/taps.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Fills `result` with the tensor `data` (f32 or f64) whose axis `axis` has got
// its new extent; `result` has that shape already.
absl::Status ResampleAxis(const KernelContext& context, const Tensor& data,
                          int axis, const AxisTaps& taps,
                          const Tensor& result);

// Input 0 to output 0, of any type of whole bytes, where each axis has at most
// one tap an element: no arithmetic, elements without a tap are 0.
absl::Status PickNearest(KernelContext& context,
                         const std::vector<AxisTaps>& axes);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_RESIZE_RESAMPLE_H_
