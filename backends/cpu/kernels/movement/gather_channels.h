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
};

// How the channels of a ChannelGather are copied, found once for all calls.
class ChannelCopies {
 public:
  explicit ChannelCopies(ChannelGather gather);

  // Each is some pixels of a block of an image.
  int64_t work_item_count() const;

  // Work items [first, last), by any threads. sources: whose number the
  // channels name. Sources and target do not overlap.
  void Run(absl::Span<const void* const> sources, void* target, int64_t first,
           int64_t last) const;

 private:
  // Channels of a block that are copied together: neighbours where they come
  // from, or of one stride, or one.
  struct Piece {
    int64_t first = 0, count = 0;
    bool are_neighbours = false;
  };

  template <typename T>
  class Part;

  template <typename T>
  void RunAs(absl::Span<const void* const> sources, void* target, int64_t first,
             int64_t last) const;
  int64_t Neighbours(int64_t channel, int64_t end) const;
  int64_t OfOneStride(int64_t channel, int64_t end) const;
  void AddPieces(int64_t block);

  const ChannelGather gather_;
  const int64_t pixels_at_a_time_;
  std::vector<Piece> pieces_;
  std::vector<int64_t> pieces_end_;  // of each block
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_MOVEMENT_GATHER_CHANNELS_H_
