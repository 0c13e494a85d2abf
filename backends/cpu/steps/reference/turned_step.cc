#include "dovetail/backends/cpu/steps/reference/turned_step.h"

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/common/kernels/movement/transpose_tile.h"
#include "dovetail/backends/cpu/kernels/common/convert.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// Of both, in elements; what lies between reading and writing is of the narrow
// type, and stays in the L1 cache.
constexpr int64_t kTileElements = 1 << 12, kTileChannels = 64;
constexpr int64_t kElementsAtATime = 1 << 14;  // worth a task

class TurnedStep : public Step {
 public:
  TurnedStep(const Shape& shape, Layout from, ElementType type)
      : is_planar_(from == Layout::kPlanar),
        to_narrow_(type == ElementType::kF32),
        channels_(shape[1]),
        area_(shape.Count(2, shape.rank())),
        pixels_each_(std::min(
            area_, kTileElements / std::min(channels_, kTileChannels))),
        parts_(CeilDivide(area_, pixels_each_)),
        count_(shape[0] * parts_),
        turn_(host::FindTransposeTile(sizeof(uint16_t))),
        load_(FindLoadFloats(ElementType::kBf16)),
        store_(FindStoreFloats(ElementType::kBf16)) {}

  absl::Status Run(const StepRun& run) const override {
    const int64_t grain =
        CeilDivide(kElementsAtATime, pixels_each_ * channels_);
    ParallelFor(run.environment->team(), count_, grain,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) RunPart(run, i);
                });
    return absl::OkStatus();
  }

 private:
  // Some channels of some pixels of an image.
  struct Tile {
    int64_t image, channel, channels, pixel, pixels;
  };
  int64_t PlanarOffset(const Tile& tile) const {
    return (tile.image * channels_ + tile.channel) * area_ + tile.pixel;
  }
  int64_t LastOffset(const Tile& tile) const {
    return (tile.image * area_ + tile.pixel) * channels_ + tile.channel;
  }

  void RunPart(const StepRun& run, int64_t part) const {
    Tile tile;
    tile.image = part / parts_;
    tile.pixel = part % parts_ * pixels_each_;
    tile.pixels = std::min(pixels_each_, area_ - tile.pixel);
    for (tile.channel = 0; tile.channel < channels_;
         tile.channel += kTileChannels) {
      tile.channels = std::min(kTileChannels, channels_ - tile.channel);
      if (to_narrow_) {
        Narrow(run.input<float>(0), tile, run.output<uint16_t>());
      } else {
        Widen(run.input<uint16_t>(0), tile, run.output<float>());
      }
    }
  }

  // Lines are those of the tile as `from` has it, and columns what lies
  // together in it.
  void Narrow(const float* from, const Tile& tile, uint16_t* to) const {
    alignas(64) uint16_t narrow[kTileElements];
    const int64_t lines = is_planar_ ? tile.channels : tile.pixels;
    const int64_t columns = is_planar_ ? tile.pixels : tile.channels;
    const int64_t stride = is_planar_ ? area_ : channels_;
    from += is_planar_ ? PlanarOffset(tile) : LastOffset(tile);
    to += is_planar_ ? LastOffset(tile) : PlanarOffset(tile);
    for (int64_t i = 0; i < lines; ++i) {
      store_(from + i * stride, narrow + i * columns, columns);
    }
    turn_(narrow, columns, to, is_planar_ ? channels_ : area_, lines, columns);
  }

  void Widen(const uint16_t* from, const Tile& tile, float* to) const {
    alignas(64) uint16_t turned[kTileElements];
    const int64_t lines = is_planar_ ? tile.channels : tile.pixels;
    const int64_t columns = is_planar_ ? tile.pixels : tile.channels;
    const int64_t stride = is_planar_ ? channels_ : area_;
    from += is_planar_ ? PlanarOffset(tile) : LastOffset(tile);
    to += is_planar_ ? LastOffset(tile) : PlanarOffset(tile);
    turn_(from, is_planar_ ? area_ : channels_, turned, lines, lines, columns);
    for (int64_t i = 0; i < columns; ++i) {
      load_(turned + i * lines, to + i * stride, lines);
    }
  }

  const bool is_planar_;  // what is read
  const bool to_narrow_;
  const int64_t channels_, area_, pixels_each_, parts_, count_;
  const host::TransposeTileFn turn_;
  const LoadFloatsFn load_;
  const StoreFloatsFn store_;
};

}  // namespace

bool IsTurned(Layout from, Layout to) {
  return (from == Layout::kPlanar && to == Layout::kChannelsLast) ||
         (from == Layout::kChannelsLast && to == Layout::kPlanar);
}

std::unique_ptr<Step> MakeTurnedStep(const Shape& shape, const Format& from,
                                     const Format& to) {
  const bool narrows =
      from.type == ElementType::kF32 && to.type == ElementType::kBf16;
  const bool widens =
      from.type == ElementType::kBf16 && to.type == ElementType::kF32;
  if (!narrows && !widens) return nullptr;
  return std::make_unique<TurnedStep>(shape, from.layout, from.type);
}

}  // namespace dovetail::cpu
