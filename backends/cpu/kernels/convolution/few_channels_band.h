// The vector code of FewChannelsConvolution. Within the library `few_channels`
// only.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_FEW_CHANNELS_BAND_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_FEW_CHANNELS_BAND_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/convolution/few_channels.h"

namespace dovetail::cpu {

// Planar results that are computed together.
inline constexpr int64_t kFewChannelsTogether = 4;

// Floats of a vector; 0: there are none.
int64_t FewChannelsVectorLanes();

// The results of a band, of a copy of what they read.
void RunFewChannelsBand(const FewChannelsConvolution& convolution,
                        const ConvolutionOperands& operands,
                        const FewChannelsConvolution::Band& band,
                        const float* copy);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_FEW_CHANNELS_BAND_H_
