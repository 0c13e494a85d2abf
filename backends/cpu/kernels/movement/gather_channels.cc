#include "dovetail/backends/cpu/kernels/movement/gather_channels.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace dovetail::cpu {
namespace {

// The lines that so many channels are read from, and those of the result, stay
// in the L1 cache.
constexpr int64_t kChannelsAtATime = 8;
constexpr int64_t kPixelsAtATime = 64;

int64_t Parts(int64_t number, int64_t at_a_time) {
  return (number + at_a_time - 1) / at_a_time;
}

template <typename T>
void CopyPixels(const T* from, int64_t from_stride, T* to, int64_t to_stride,
                int64_t count) {
  if (to_stride == 1 && from_stride == 1) {
    std::copy_n(from, count, to);
    return;
  }
  for (int64_t i = 0; i < count; ++i) to[i * to_stride] = from[i * from_stride];
}

// Channels of one stride to neighbours.
template <typename T>
void InterleavePixels(const T* const (&from)[kChannelsAtATime],
                      int64_t from_stride, T* to, int64_t to_stride,
                      int64_t count) {
  const T* const f[] = {from[0], from[1], from[2], from[3],
                        from[4], from[5], from[6], from[7]};
  static_assert(std::size(f) == kChannelsAtATime);
  for (int64_t i = 0, at = 0; i < count; ++i, at += from_stride) {
    for (int64_t c = 0; c < kChannelsAtATime; ++c) to[c] = f[c][at];
    to += to_stride;
  }
}

// Channels that are neighbours where they come from, too.
template <typename T>
void CopyNeighbours(const T* from, int64_t from_stride, T* to,
                    int64_t to_stride, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to + i * to_stride, from + i * from_stride,
                kChannelsAtATime * sizeof(T));
  }
}

// A work item.
template <typename T>
class Part {
 public:
  Part(const ChannelGather& gather, absl::Span<const void* const> sources,
       int64_t item)
      : gather_(gather), sources_(sources) {
    const auto channels = static_cast<int64_t>(gather.channels.size());
    const int64_t pixel_parts = Parts(gather.pixels, kPixelsAtATime);
    const int64_t channel_parts = Parts(channels, kChannelsAtATime);
    x_ = item % pixel_parts * kPixelsAtATime;
    count_ = std::min(kPixelsAtATime, gather.pixels - x_);
    begin_ = item / pixel_parts % channel_parts * kChannelsAtATime;
    end_ = std::min(begin_ + kChannelsAtATime, channels);
    image_ = item / pixel_parts / channel_parts;
  }

  void Copy(T* target) const {
    const int64_t block = gather_.block;
    if (AreInterleaved()) {
      if (AreNeighbours()) {
        CopyNeighbours(From(begin_), gather_.channels[begin_].stride,
                       To(target, begin_), block, count_);
        return;
      }
      const T* from[kChannelsAtATime];
      for (int64_t i = 0; i < kChannelsAtATime; ++i) from[i] = From(begin_ + i);
      InterleavePixels(from, gather_.channels[begin_].stride,
                       To(target, begin_), block, count_);
      return;
    }
    for (int64_t c = begin_; c < end_; ++c) {
      CopyPixels(From(c), gather_.channels[c].stride, To(target, c), block,
                 count_);
    }
  }

 private:
  bool AreInterleaved() const {
    if (end_ - begin_ < kChannelsAtATime) return false;
    if (begin_ / gather_.block != (end_ - 1) / gather_.block) return false;
    const auto* const first = &gather_.channels[begin_];
    return std::all_of(first, first + kChannelsAtATime,
                       [&](const GatheredChannel& channel) {
                         return channel.stride == first->stride;
                       });
  }

  // Of those that AreInterleaved.
  bool AreNeighbours() const {
    const auto* const first = &gather_.channels[begin_];
    for (int64_t i = 0; i < kChannelsAtATime; ++i) {
      const GatheredChannel& channel = first[i];
      if (channel.source < 0 || channel.source != first->source ||
          channel.offset != first->offset + i ||
          channel.image_step != first->image_step) {
        return false;
      }
    }
    return true;
  }

  const T* From(int64_t c) const {
    static constexpr T kZero = 0;
    const GatheredChannel& channel = gather_.channels[c];
    if (channel.source < 0) return &kZero;
    return static_cast<const T*>(sources_[channel.source]) + channel.offset +
           image_ * channel.image_step + x_ * channel.stride;
  }

  T* To(T* target, int64_t c) const {
    const auto channels = static_cast<int64_t>(gather_.channels.size());
    const int64_t first = c / gather_.block * gather_.block;
    return target + (image_ * channels + first) * gather_.pixels + c - first +
           x_ * gather_.block;
  }

  const ChannelGather& gather_;
  const absl::Span<const void* const> sources_;
  int64_t image_, begin_, end_;  // channels
  int64_t x_, count_;            // pixels
};

template <typename T>
void GatherAs(const ChannelGather& gather,
              absl::Span<const void* const> sources, void* target,
              int64_t first, int64_t last) {
  for (int64_t item = first; item < last; ++item) {
    Part<T>(gather, sources, item).Copy(static_cast<T*>(target));
  }
}

}  // namespace

int64_t ChannelGather::work_item_count() const {
  return images * Parts(pixels, kPixelsAtATime) *
         Parts(static_cast<int64_t>(channels.size()), kChannelsAtATime);
}

void GatherChannels(const ChannelGather& gather,
                    absl::Span<const void* const> sources, void* target,
                    int64_t first, int64_t last) {
  switch (gather.element_bytes) {
    case 1:
      return GatherAs<uint8_t>(gather, sources, target, first, last);
    case 2:
      return GatherAs<uint16_t>(gather, sources, target, first, last);
    case 4:
      return GatherAs<uint32_t>(gather, sources, target, first, last);
    default:
      return GatherAs<uint64_t>(gather, sources, target, first, last);
  }
}

}  // namespace dovetail::cpu
