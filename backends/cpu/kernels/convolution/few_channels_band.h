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

// `count` elements of each channel, from where those of an element lie side by
// side: channel c goes to `to + c * plane`.
void SeparateChannels(const float* from, int64_t count, int64_t channels,
                      int64_t plane, float* to);
// The same of what bytes stand for.
void SeparateBytes(const uint8_t* from, int64_t count,
                   const FewChannelsShape& shape, int64_t plane, float* to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_FEW_CHANNELS_BAND_H_
