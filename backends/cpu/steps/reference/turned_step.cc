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
  // Some channels of some pixels of an image, as lines of what is read and
  // columns of what is written. Offsets and strides in elements.
  struct Tile {
    int64_t lines, columns;
    int64_t from, from_stride, to, to_stride;
  };

  Tile TileOf(int64_t image, int64_t channel, int64_t pixel) const {
    const int64_t channels = std::min(kTileChannels, channels_ - channel);
    const int64_t pixels = std::min(pixels_each_, area_ - pixel);
    const int64_t planar = (image * channels_ + channel) * area_ + pixel;
    const int64_t last = (image * area_ + pixel) * channels_ + channel;
    if (is_planar_) return {channels, pixels, planar, area_, last, channels_};
    return {pixels, channels, last, channels_, planar, area_};
  }

  void RunPart(const StepRun& run, int64_t part) const {
    const int64_t pixel = part % parts_ * pixels_each_;
    for (int64_t c = 0; c < channels_; c += kTileChannels) {
      const Tile tile = TileOf(part / parts_, c, pixel);
      if (to_narrow_) {
        Narrow(run.input<float>(0), tile, run.output<uint16_t>());
      } else {
        Widen(run.input<uint16_t>(0), tile, run.output<float>());
      }
    }
  }

  void Narrow(const float* from, const Tile& tile, uint16_t* to) const {
    alignas(64) uint16_t narrow[kTileElements];
    for (int64_t i = 0; i < tile.lines; ++i) {
      store_(from + tile.from + i * tile.from_stride, narrow + i * tile.columns,
             tile.columns);
    }
    turn_(narrow, tile.columns, to + tile.to, tile.to_stride, tile.lines,
          tile.columns);
  }

  void Widen(const uint16_t* from, const Tile& tile, float* to) const {
    alignas(64) uint16_t turned[kTileElements];
    turn_(from + tile.from, tile.from_stride, turned, tile.lines, tile.lines,
          tile.columns);
    for (int64_t i = 0; i < tile.columns; ++i) {
      load_(turned + i * tile.lines, to + tile.to + i * tile.to_stride,
            tile.lines);
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
