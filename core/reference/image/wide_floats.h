// Kernels that compute images of any number type as floats.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_WIDE_FLOATS_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_WIDE_FLOATS_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Runs `kernel` on input 0 and output 0 as f32, or f64 for types that do not
// fit. What it gives is rounded and cut for an integer type.
absl::Status WithWideFloats(
    KernelContext& context,
    absl::FunctionRef<absl::Status(const Tensor& data, const Tensor& output)>
        kernel);

// Rounds the elements of a f32 or f64 tensor, ties to even, and cuts them to
// the range of an integer type; NaN becomes 0.
void RoundToInteger(const KernelContext& context, ElementType type,
                    const Tensor& data);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_WIDE_FLOATS_H_
