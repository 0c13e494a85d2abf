// Blocks of output channels that a kernel computes together.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_OUTPUT_GROUP_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_OUTPUT_GROUP_H_

#include <algorithm>
#include <cstdint>

namespace dovetail::cpu {

// Two blocks, and three in the last group where their number is odd: with 12
// sums in registers every weight that is loaded is used often enough.
struct OutputGroup {
  // Group `number` of so many blocks in all.
  OutputGroup(int64_t all_blocks, int64_t number)
      : first_block(2 * number),
        blocks(all_blocks - first_block < 4 ? all_blocks - first_block : 2) {}

  // How many groups there are.
  static int64_t Count(int64_t all_blocks) {
    return std::max<int64_t>(1, all_blocks / 2);
  }

  int64_t first_block, blocks;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_OUTPUT_GROUP_H_
