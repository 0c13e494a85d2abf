#include "dovetail/backends/cpu/kernels/normalization/joined_pixels.h"

#include <cstddef>

#include "dovetail/backends/common/kernels/simd/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/normalization/joined_pixels.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

// After foreach_target.h, because it is included once per target.
#include "dovetail/backends/cpu/kernels/normalization/pixel_epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {
namespace {

// The pixels of a part, whose channels are those from `first` on.
struct Range {
  int64_t first, channels;
  int64_t begin, end;
};

template <bool kSlope, typename In, typename Out>
void FinishPart(const In* part, const Range& range, const PixelEpilogue& all,
                Out* out) {
  const PixelEpilogue e = all;  // which no store can change
  for (int64_t c = 0; c < range.channels; c += RowLanes()) {
    const ChannelEpilogue channels(e, range.first + c);
    for (int64_t i = range.begin; i < range.end; ++i) {
      const RowVector x =
          LoadChannels(part + i * range.channels, c, range.channels);
      StoreChannels(Finish</*kGrid=*/false, kSlope>(x, e, channels),
                    out + i * e.channels + range.first, c, range.channels);
    }
  }
}

template <typename In, typename Out>
void FinishPartTo(const void* part, const Range& range, const PixelEpilogue& e,
                  void* out) {
  const auto run =
      e.has_slope ? &FinishPart<true, In, Out> : &FinishPart<false, In, Out>;
  run(static_cast<const In*>(part), range, e, static_cast<Out*>(out));
}

template <typename In>
void FinishPartOf(const void* part, const Range& range, const PixelEpilogue& e,
                  void* out) {
  const auto run = e.output_type == ElementType::kBf16
                       ? &FinishPartTo<In, uint16_t>
                       : &FinishPartTo<In, float>;
  run(part, range, e, out);
}

}  // namespace

void RunParts(absl::Span<const PixelPart> parts,
              absl::Span<const void* const> data, const PixelEpilogue& epilogue,
              int64_t begin, int64_t end, void* out) {
  int64_t first = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Range range = {first, parts[i].channels, begin, end};
    if (parts[i].type == ElementType::kBf16) {
      FinishPartOf<uint16_t>(data[i], range, epilogue, out);
    } else {
      FinishPartOf<float>(data[i], range, epilogue, out);
    }
    first += parts[i].channels;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail::cpu {

HWY_EXPORT(RunParts);

void FinishJoinedPixels(absl::Span<const PixelPart> parts,
                        absl::Span<const void* const> data,
                        const PixelEpilogue& epilogue, int64_t begin,
                        int64_t end, void* out) {
  HWY_DYNAMIC_DISPATCH(RunParts)(parts, data, epilogue, begin, end, out);
}

}  // namespace dovetail::cpu
#endif  // HWY_ONCE
