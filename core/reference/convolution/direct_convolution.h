// Convolution of up to three spatial axes by its definition, arranged so that
// the innermost loop runs along rows of the output.
#ifndef DOVETAIL_CORE_REFERENCE_CONVOLUTION_DIRECT_CONVOLUTION_H_
#define DOVETAIL_CORE_REFERENCE_CONVOLUTION_DIRECT_CONVOLUTION_H_

#include <cstdint>

#include "dovetail/core/reference/convolution/geometry.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// output [batch, groups * outputs, output_plane] =
//   data [batch, groups * inputs, input_plane] convolved with
//   kernel [groups, outputs, inputs, kernel_plane]. T is float, double or
// uint64_t (any integer: its arithmetic wraps). No extent is 0.
template <typename T>
void DirectConvolution(const KernelContext& context,
                       const ConvolutionGeometry& geometry, const T* data,
                       const T* kernel, T* output);

extern template void DirectConvolution(const KernelContext&,
                                       const ConvolutionGeometry&,
                                       const float*, const float*, float*);
extern template void DirectConvolution(const KernelContext&,
                                       const ConvolutionGeometry&,
                                       const double*, const double*, double*);
extern template void DirectConvolution(const KernelContext&,
                                       const ConvolutionGeometry&,
                                       const uint64_t*, const uint64_t*,
                                       uint64_t*);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONVOLUTION_DIRECT_CONVOLUTION_H_
