#include "dovetail/backends/cpu/kernels/movement/gather_channels.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace dovetail::cpu {
namespace {

// The lines that so many channels are read from stay in the L1 cache.
constexpr int64_t kChannelsAtATime = 8;
// Fewer channels that are neighbours are copied one by one.
constexpr int64_t kFewNeighbours = 4;

int64_t Parts(int64_t number, int64_t at_a_time) {
  return (number + at_a_time - 1) / at_a_time;
}

// Those of the result stay there, too. Of pixels that lie side by side at least
// a line is read.
int64_t PixelsAtATime(const ChannelGather& gather) {
  constexpr int64_t kBytes = 8192, kLeast = 16;
  const int64_t pixel_bytes = gather.block * gather.element_bytes;
  return std::max(kBytes / pixel_bytes, kLeast);
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

// Rows of at least kChunk bytes, some of which may be copied twice: pieces of a
// length that the compiler knows are moves by registers, and no calls.
template <int64_t kChunk>
void CopyRows(const char* from, int64_t from_step, char* to, int64_t to_step,
              int64_t bytes, int64_t count) {
  const int64_t last = bytes - kChunk;
  for (int64_t i = 0; i < count; ++i) {
    for (int64_t at = 0; at < last; at += kChunk) {
      std::memcpy(to + at, from + at, kChunk);
    }
    std::memcpy(to + last, from + last, kChunk);
    from += from_step;
    to += to_step;
  }
}

// Channels that are neighbours where they come from, too.
template <typename T>
void CopyNeighbours(const T* from, int64_t from_stride, T* to,
                    int64_t to_stride, int64_t channels, int64_t count) {
  constexpr int64_t kSize = sizeof(T);
  const int64_t bytes = channels * kSize;
  const auto copy = bytes >= 16  ? &CopyRows<16>
                    : bytes >= 8 ? &CopyRows<8>
                                 : &CopyRows<kFewNeighbours>;
  copy(reinterpret_cast<const char*>(from), from_stride * kSize,
       reinterpret_cast<char*>(to), to_stride * kSize, bytes, count);
}

}  // namespace

// A work item.
template <typename T>
class ChannelCopies::Part {
 public:
  Part(const ChannelCopies& copies, absl::Span<const void* const> sources,
       int64_t item)
      : copies_(copies), gather_(copies.gather_), sources_(sources) {
    const int64_t pixel_parts = Parts(gather_.pixels, copies.pixels_at_a_time_);
    const auto blocks = static_cast<int64_t>(copies.pieces_end_.size());
    x_ = item % pixel_parts * copies.pixels_at_a_time_;
    count_ = std::min(copies.pixels_at_a_time_, gather_.pixels - x_);
    block_ = item / pixel_parts % blocks;
    image_ = item / pixel_parts / blocks;
  }

  void Copy(T* target) const {
    const std::vector<int64_t>& ends = copies_.pieces_end_;
    for (int64_t i = block_ == 0 ? 0 : ends[block_ - 1]; i < ends[block_];
         ++i) {
      Copy(copies_.pieces_[i], To(target, copies_.pieces_[i].first));
    }
  }

 private:
  void Copy(const Piece& piece, T* to) const {
    const int64_t stride = gather_.channels[piece.first].stride;
    const int64_t block = gather_.block;
    if (piece.are_neighbours) {
      CopyNeighbours(From(piece.first), stride, to, block, piece.count, count_);
    } else if (piece.count == kChannelsAtATime) {
      const T* from[kChannelsAtATime];
      for (int64_t i = 0; i < kChannelsAtATime; ++i) {
        from[i] = From(piece.first + i);
      }
      InterleavePixels(from, stride, to, block, count_);
    } else {
      CopyPixels(From(piece.first), stride, to, block, count_);
    }
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
    const int64_t first = block_ * gather_.block;
    return target + (image_ * channels + first) * gather_.pixels + c - first +
           x_ * gather_.block;
  }

  const ChannelCopies& copies_;
  const ChannelGather& gather_;
  const absl::Span<const void* const> sources_;
  int64_t image_, block_;
  int64_t x_, count_;  // pixels
};

ChannelCopies::ChannelCopies(ChannelGather gather)
    : gather_(std::move(gather)), pixels_at_a_time_(PixelsAtATime(gather_)) {
  const auto channels = static_cast<int64_t>(gather_.channels.size());
  for (int64_t block = 0; block < channels / gather_.block; ++block) {
    AddPieces(block);
    pieces_end_.push_back(static_cast<int64_t>(pieces_.size()));
  }
}

// How many of the channels before `end`, from one on, are neighbours.
int64_t ChannelCopies::Neighbours(int64_t channel, int64_t end) const {
  const GatheredChannel& first = gather_.channels[channel];
  if (first.source < 0) return 1;
  int64_t count = 1;
  for (; channel + count < end; ++count) {
    const GatheredChannel& next = gather_.channels[channel + count];
    if (next.source != first.source || next.offset != first.offset + count ||
        next.stride != first.stride || next.image_step != first.image_step) {
      break;
    }
  }
  return count;
}

int64_t ChannelCopies::OfOneStride(int64_t channel, int64_t end) const {
  int64_t count = 1;
  while (channel + count < end && gather_.channels[channel + count].stride ==
                                      gather_.channels[channel].stride) {
    ++count;
  }
  return count;
}

void ChannelCopies::AddPieces(int64_t block) {
  const int64_t end = (block + 1) * gather_.block;
  for (int64_t c = block * gather_.block; c < end; c += pieces_.back().count) {
    const int64_t neighbours = Neighbours(c, end);
    if (neighbours >= kFewNeighbours) {
      pieces_.push_back({c, neighbours, true});
    } else if (OfOneStride(c, end) >= kChannelsAtATime) {
      pieces_.push_back({c, kChannelsAtATime, false});
    } else {
      pieces_.push_back({c, 1, false});
    }
  }
}

int64_t ChannelCopies::work_item_count() const {
  return gather_.images * Parts(gather_.pixels, pixels_at_a_time_) *
         static_cast<int64_t>(pieces_end_.size());
}

template <typename T>
void ChannelCopies::RunAs(absl::Span<const void* const> sources, void* target,
                          int64_t first, int64_t last) const {
  for (int64_t item = first; item < last; ++item) {
    Part<T>(*this, sources, item).Copy(static_cast<T*>(target));
  }
}

void ChannelCopies::Run(absl::Span<const void* const> sources, void* target,
                        int64_t first, int64_t last) const {
  switch (gather_.element_bytes) {
    case 1:
      return RunAs<uint8_t>(sources, target, first, last);
    case 2:
      return RunAs<uint16_t>(sources, target, first, last);
    case 4:
      return RunAs<uint32_t>(sources, target, first, last);
    default:
      return RunAs<uint64_t>(sources, target, first, last);
  }
}

}  // namespace dovetail::cpu
