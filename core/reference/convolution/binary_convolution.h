// Kernel of BinaryConvolution.
#ifndef DOVETAIL_CORE_REFERENCE_CONVOLUTION_BINARY_CONVOLUTION_H_
#define DOVETAIL_CORE_REFERENCE_CONVOLUTION_BINARY_CONVOLUTION_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status BinaryConvolutionKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONVOLUTION_BINARY_CONVOLUTION_H_
