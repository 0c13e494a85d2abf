// The instructions of FewChannelsIntegerMethod.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FEW_CHANNELS_FEW_CHANNELS_BAND_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FEW_CHANNELS_FEW_CHANNELS_BAND_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/few_channels/few_channels.h"

namespace dovetail::cpu {

// Whether the processor has them, and the limit of instruction sets allows
// them. Without, the functions below do nothing.
bool HasFewChannelsBand();

// One row of all channels, from planes to pixels side by side, with zeros (as
// they are said by the convolution) before and behind it, a whole row_step().
void CopyFewChannelsRow(const FewChannelsIntegerMethod& convolution,
                        const uint8_t* from, uint8_t* to);

// The results of a band of which `copy` has the rows.
void RunFewChannelsBand(const FewChannelsIntegerMethod& convolution,
                        const IntegerConvolutionOperands& operands,
                        const FewChannelsIntegerMethod::Band& band,
                        const uint8_t* copy);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FEW_CHANNELS_FEW_CHANNELS_BAND_H_
