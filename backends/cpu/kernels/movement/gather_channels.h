// A tensor whose channels are copies of channels of others, each laid out in
// its own way.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_MOVEMENT_GATHER_CHANNELS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_MOVEMENT_GATHER_CHANNELS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace dovetail::cpu {

// Where a channel's pixels are: of a source, from element `offset` on, each
// `stride` elements after the one before; of the next image, `image_step` on.
struct GatheredChannel {
  int source = -1;  // none: zeros
  int64_t offset = 0, stride = 0, image_step = 0;
};

// The result is [images, channels / block, pixels, block]: blocks of channels,
// with a block of 1 row-major, or with one of all channels channels last.
struct ChannelGather {
  int element_bytes = 4;  // 1, 2, 4 or 8
  int64_t images = 1, pixels = 1;
  int64_t block = 1;
  std::vector<GatheredChannel> channels;  // whole blocks

  // Each is some channels of some pixels of an image.
  int64_t work_item_count() const;
};

// Work items [first, last), by any threads. sources: whose number the channels
// name. Sources and target do not overlap.
void GatherChannels(const ChannelGather& gather,
                    absl::Span<const void* const> sources, void* target,
                    int64_t first, int64_t last);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_MOVEMENT_GATHER_CHANNELS_H_
