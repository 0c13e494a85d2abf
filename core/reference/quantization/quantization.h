// Kernels of quantization. f16 and bf16 are computed in f32.
#ifndef DOVETAIL_CORE_REFERENCE_QUANTIZATION_QUANTIZATION_H_
#define DOVETAIL_CORE_REFERENCE_QUANTIZATION_QUANTIZATION_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// What is out of range becomes the nearest end; NaN stays. By way of f16, as
// OpenVINO does it: near ties that rounds twice.
absl::Status FakeConvertKernel(KernelContext& context);
// Each step in the type of the data, levels rounded to nearest even. Equal
// input ends make a threshold, by the specification's order of conditions:
// output low up to it, output high above. Crossed ends mean output low up to
// the smaller, output high above the greater, and the formula between.
absl::Status FakeQuantizeKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_QUANTIZATION_QUANTIZATION_H_
