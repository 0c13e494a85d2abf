// Kernels of Convolution and GroupConvolution, and of their gradients.
#ifndef DOVETAIL_CORE_REFERENCE_CONVOLUTION_CONVOLUTION_H_
#define DOVETAIL_CORE_REFERENCE_CONVOLUTION_CONVOLUTION_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

absl::Status ConvolutionKernel(KernelContext& context);
absl::Status GroupConvolutionKernel(KernelContext& context);
absl::Status ConvolutionBackpropDataKernel(KernelContext& context);
absl::Status GroupConvolutionBackpropDataKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONVOLUTION_CONVOLUTION_H_
