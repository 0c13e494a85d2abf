// The gradient of a convolution with respect to its data by its definition,
// arranged so that the innermost loop runs along rows of the data.
#ifndef DOVETAIL_CORE_REFERENCE_CONVOLUTION_DIRECT_BACKPROP_H_
#define DOVETAIL_CORE_REFERENCE_CONVOLUTION_DIRECT_BACKPROP_H_

#include <cstdint>

#include "dovetail/core/reference/convolution/geometry.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// result [batch, groups * outputs, input_plane] from
//   data [batch, groups * inputs, output_plane] and
//   kernel [groups, inputs, outputs, kernel_plane].
// The axes are those of the convolution whose gradient it is: it would make
// `data` out of `result`. T is float, double or uint64_t. No extent is 0.
template <typename T>
void DirectBackprop(const KernelContext& context,
                    const ConvolutionGeometry& geometry, const T* data,
                    const T* kernel, T* result);

extern template void DirectBackprop(const KernelContext&,
                                    const ConvolutionGeometry&, const float*,
                                    const float*, float*);
extern template void DirectBackprop(const KernelContext&,
                                    const ConvolutionGeometry&, const double*,
                                    const double*, double*);
extern template void DirectBackprop(const KernelContext&,
                                    const ConvolutionGeometry&,
                                    const uint64_t*, const uint64_t*,
                                    uint64_t*);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_CONVOLUTION_DIRECT_BACKPROP_H_
