#include "dovetail/backends/cpu/steps/normalization/channels_last_step.h"

#include <algorithm>
#include <array>

#include "dovetail/backends/cpu/kernels/common/convert.h"
#include "dovetail/backends/cpu/steps/normalization/row_step.h"
#include "dovetail/core/base/checked_math.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {
namespace {

// Numbers of a part, which are read twice from the first cache.
constexpr int64_t kPartElements = 1 << 12;

// Where what lies, in numbers.
struct Parts {
  explicit Parts(const PixelShape& shape)
      : pixels(std::max<int64_t>(1, kPartElements / shape.width)),
        count(CeilDivide(shape.area, pixels)),
        moments(count * 2 * shape.width),
        image(shape.blocks * (moments + 3 * shape.width)) {}

  int64_t pixels, count;  // of a part, of parts
  int64_t moments;        // of a block
  int64_t image;          // moments of all blocks, and behind them the factors
};

class ChannelsLastStep : public Step {
 public:
  ChannelsLastStep(int64_t images, const PixelShape& shape,
                   const VarianceOptions& options, const PixelTypes& types,
                   const std::optional<PixelEpilogue>& epilogue)
      : images_(images),
        shape_(shape),
        options_(options),
        types_(types),
        epilogue_(epilogue),
        parts_(shape) {}

  absl::Status Run(const StepRun& run) const override {
    const int64_t parts = images_ * shape_.blocks * parts_.count;
    const int64_t groups = images_ * shape_.groups;
    const int64_t work =
        CeilDivide(kElementsAtATime, parts_.pixels * shape_.width);
    const int64_t moments = shape_.blocks * parts_.moments / shape_.groups;
    ForEach(run, parts, work, [&](int64_t i) { Measure(run, i); });
    ForEach(run, groups, CeilDivide(kElementsAtATime, moments),
            [&](int64_t i) { Combine(run, i); });
    ForEach(run, parts, work, [&](int64_t i) { Normalize(run, i); });
    return absl::OkStatus();
  }

 private:
  // A part of a block's pixels.
  struct Place {
    int64_t image, block, begin, end;
  };
  Place PlaceOf(int64_t i) const {
    const int64_t block = i / parts_.count;
    const int64_t begin = i % parts_.count * parts_.pixels;
    return {block / shape_.blocks, block % shape_.blocks, begin,
            std::min(shape_.area, begin + parts_.pixels)};
  }
  int64_t Offset(const Place& place) const {
    return (place.image * shape_.blocks + place.block) * shape_.area *
           shape_.width;
  }
  float* Moments(const StepRun& run, int64_t image) const {
    return static_cast<float*>(run.scratch) + image * parts_.image;
  }
  float* Factors(const StepRun& run, int64_t image) const {
    return Moments(run, image) + shape_.blocks * parts_.moments;
  }

  template <typename Fn>
  static void ForEach(const StepRun& run, int64_t count, int64_t grain, Fn fn) {
    ParallelFor(run.environment->team(), count, grain,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) fn(i);
                });
  }

  // A part of numbers that are stored as bf16 is made f32, or was f32, in the
  // first cache.
  using Buffer = std::array<float, kPartElements>;

  int64_t Count(const Place& place) const {
    return (place.end - place.begin) * shape_.width;
  }
  // Where the pixels begin.
  int64_t First(const Place& place) const {
    return Offset(place) + place.begin * shape_.width;
  }
  const float* Pixels(const StepRun& run, const Place& place,
                      Buffer& buffer) const {
    if (types_.input == ElementType::kF32) {
      return run.input<float>(0) + First(place);
    }
    FindLoadFloats(ElementType::kBf16)(run.input<uint16_t>(0) + First(place),
                                       buffer.data(), Count(place));
    return buffer.data();
  }

  void Measure(const StepRun& run, int64_t i) const {
    const Place place = PlaceOf(i);
    Buffer buffer;
    float* const moments =
        Moments(run, place.image) + place.block * parts_.moments;
    MomentsOfPixels(Pixels(run, place, buffer), shape_.width, 0,
                    place.end - place.begin,
                    moments + place.begin / parts_.pixels * 2 * shape_.width);
  }
  void Combine(const StepRun& run, int64_t i) const {
    const int64_t image = i / shape_.groups, group = i % shape_.groups;
    FactorsOfGroups(Moments(run, image), parts_.pixels, shape_,
                    run.input<float>(1), run.input<float>(2), options_, group,
                    group + 1, Factors(run, image));
  }
  void Normalize(const StepRun& run, int64_t i) const {
    const Place place = PlaceOf(i);
    Buffer buffer;
    const float* const from = Pixels(run, place, buffer);
    const int64_t size = BitWidth(types_.output) / 8;
    char* const to = run.output<char>() + First(place) * size;
    if (types_.output != ElementType::kBf16) {
      return NormalizeTo(run, place, from, to);
    }
    NormalizeTo(run, place, from, buffer.data());
    FindStoreFloats(ElementType::kBf16)(buffer.data(), to, Count(place));
  }
  void NormalizeTo(const StepRun& run, const Place& place, const float* from,
                   void* to) const {
    const float* const factors =
        Factors(run, place.image) + place.block * 3 * shape_.width;
    const int64_t pixels = place.end - place.begin;
    if (!epilogue_.has_value()) {
      NormalizePixels(from, factors, shape_.width, 0, pixels,
                      static_cast<float*>(to));
      return;
    }
    PixelEpilogue epilogue = *epilogue_;
    epilogue.numbers = run.input<float>(3) + place.block * shape_.width;
    epilogue.channels = shape_.width;
    NormalizePixels(from, factors, epilogue, 0, pixels, to);
  }

  const int64_t images_;
  const PixelShape shape_;
  const VarianceOptions options_;
  const PixelTypes types_;
  const std::optional<PixelEpilogue> epilogue_;
  const Parts parts_;
};

}  // namespace

bool HasPixels(const Shape& shape, Layout layout) {
  return layout != Layout::kPlanar && shape.rank() > 2 &&
         shape[1] % ChannelBlock(layout) == 0;
}

PixelShape PixelsOf(const Shape& shape, Layout layout, int64_t groups) {
  const int64_t block = ChannelBlock(layout);
  const int64_t width = block > 1 ? block : shape[1];
  return {shape[1] / width, shape.Count(2, shape.rank()), width, groups};
}

bool MayBeNarrow(const PixelShape& shape) {
  return shape.width <= kPartElements;
}

std::unique_ptr<Step> MakeChannelsLastStep(
    int64_t images, const PixelShape& shape, const VarianceOptions& options,
    const PixelTypes& types, const std::optional<PixelEpilogue>& epilogue) {
  return std::make_unique<ChannelsLastStep>(images, shape, options, types,
                                            epilogue);
}

int64_t ChannelsLastScratchBytes(int64_t images, const PixelShape& shape) {
  return images * Parts(shape).image * static_cast<int64_t>(sizeof(float));
}

}  // namespace dovetail::cpu
