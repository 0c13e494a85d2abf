// How tensors lie whose channels are side by side, for kernels that compute a
// block of channels at a time.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_CHANNEL_STRIDES_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_CHANNEL_STRIDES_H_

#include <algorithm>
#include <cstdint>

namespace dovetail::cpu {

// In blocks of `lanes` channels, [N, C / lanes, H, W, lanes], the last one
// padded with zeros; or channels last, [N, H, W, C].
struct ChannelStrides {
  ChannelStrides(bool in_blocks, int64_t all_channels, int64_t lanes_of_block,
                 int64_t pixels)
      : channels(all_channels),
        lanes(lanes_of_block),
        is_blocked(in_blocks),
        pixel(in_blocks ? lanes : channels),
        block(in_blocks ? pixels * lanes : lanes),
        image(in_blocks ? (channels + lanes - 1) / lanes * block
                        : pixels * channels) {}

  // Channels that a vector of block `b` may read and write.
  int64_t ChannelsOf(int64_t b) const {
    return is_blocked ? lanes : std::min(lanes, channels - b * lanes);
  }

  int64_t channels, lanes;
  bool is_blocked;
  // Elements from one pixel, one block of channels and one image to the next.
  int64_t pixel, block, image;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_CONVOLUTION_CHANNEL_STRIDES_H_
