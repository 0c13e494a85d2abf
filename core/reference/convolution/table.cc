#include "dovetail/core/reference/convolution/table.h"

#include "dovetail/core/reference/convolution/binary_convolution.h"
#include "dovetail/core/reference/convolution/convolution.h"
#include "dovetail/core/reference/convolution/deformable_convolution.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Convolution", 1, &ConvolutionKernel},
    {"GroupConvolution", 1, &GroupConvolutionKernel},
    {"ConvolutionBackpropData", 1, &ConvolutionBackpropDataKernel},
    {"GroupConvolutionBackpropData", 1, &GroupConvolutionBackpropDataKernel},
    {"BinaryConvolution", 1, &BinaryConvolutionKernel},
    {"DeformableConvolution", 1, &DeformableConvolutionKernel},
    {"DeformableConvolution", 8, &DeformableConvolutionKernel},
};

}  // namespace

absl::Span<const KernelRow> ConvolutionKernels() { return kKernels; }

}  // namespace dovetail
