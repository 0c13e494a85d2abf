// Blocks of 8 output channels that a kernel computes together.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_OUTPUT_GROUP_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_OUTPUT_GROUP_H_

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/common/channel_block.h"

namespace dovetail::cpu {

// Two blocks, and three in the last group where their number is odd: with 12
// sums in registers every weight that is loaded is used often enough.
struct OutputGroup {
  OutputGroup(int64_t outputs, int64_t number)
      : first_block(2 * number),
        blocks(ChannelBlocks(outputs) - first_block < 4
                   ? ChannelBlocks(outputs) - first_block
                   : 2) {}

  // How many groups there are.
  static int64_t Count(int64_t outputs) {
    return std::max<int64_t>(1, ChannelBlocks(outputs) / 2);
  }

  int64_t first_block, blocks;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_OUTPUT_GROUP_H_
