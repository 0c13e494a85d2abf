// Blocks of channels, as Layout::kBlocked8 has them.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_CHANNEL_BLOCK_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_CHANNEL_BLOCK_H_

#include <cstdint>

namespace dovetail::cpu {

inline constexpr int64_t kChannelBlock = 8;

// The last one may have fewer channels, and zeros for the others.
inline int64_t ChannelBlocks(int64_t channels) {
  return (channels + kChannelBlock - 1) / kChannelBlock;
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_CHANNEL_BLOCK_H_
