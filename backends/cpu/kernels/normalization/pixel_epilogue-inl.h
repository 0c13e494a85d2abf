// Channels of pixels and what a PixelEpilogue makes of them, by vectors.
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h.
#if defined(                                                              \
    DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_PIXEL_EPILOGUE_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_PIXEL_EPILOGUE_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_PIXEL_EPILOGUE_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_PIXEL_EPILOGUE_INL_H_
#endif

#include <cstdint>
#include <cstring>

#include "dovetail/backends/common/kernels/simd/rows-inl.h"
#include "dovetail/backends/cpu/kernels/common/bf16-inl.h"
#include "dovetail/backends/cpu/kernels/normalization/pixel_epilogue.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

using namespace host::HWY_NAMESPACE;

// The vector of `from` at c, where the channels may end within it.
HWY_INLINE RowVector LoadChannels(const float* from, int64_t c, int64_t width) {
  return width - c >= RowLanes() ? hn::LoadU(RowTag(), from + c)
                                 : LoadFew(from + c, width - c, 0);
}

HWY_INLINE void StoreChannels(RowVector x, float* to, int64_t c,
                              int64_t width) {
  if (width - c >= RowLanes()) {
    hn::StoreU(x, RowTag(), to + c);
  } else {
    StoreFew(x, to + c, width - c);
  }
}

// Numbers of 16 bits are bf16.
HWY_INLINE RowVector LoadChannels(const uint16_t* from, int64_t c,
                                  int64_t width) {
  if (width - c >= RowLanes()) return AsBf16::Load(from + c);
  HWY_ALIGN uint16_t lanes[HWY_LANES(float)] = {};
  std::memcpy(lanes, from + c, (width - c) * sizeof(uint16_t));
  return AsBf16::Load(lanes);
}

// What `store` writes of a vector, or of its first lanes.
template <typename T, typename F>
HWY_INLINE void StoreSome(T* to, int64_t c, int64_t width, F store) {
  if (width - c >= RowLanes()) {
    store(to + c);
    return;
  }
  HWY_ALIGN T lanes[HWY_LANES(float)];
  store(lanes);
  std::memcpy(to + c, lanes, (width - c) * sizeof(T));
}

HWY_INLINE void StoreChannels(RowVector x, uint16_t* to, int64_t c,
                              int64_t width) {
  StoreSome(to, c, width, [x](uint16_t* at) HWY_ATTR { AsBf16::Store(x, at); });
}

// Of numbers within the range of T, bytes.
template <typename T>
HWY_INLINE void StoreChannels(RowVector x, T* to, int64_t c, int64_t width) {
  const hn::Rebind<T, RowTag> bytes;
  const auto narrow = hn::DemoteTo(bytes, hn::NearestInt(x));
  StoreSome(to, c, width,
            [=](T* at) HWY_ATTR { hn::StoreU(narrow, bytes, at); });
}

// An epilogue's numbers of the channels of a vector.
struct ChannelEpilogue {
  ChannelEpilogue(const PixelEpilogue& e, int64_t c)
      : scale(Load(e, PixelEpilogue::kScale, c)),
        shift(Load(e, PixelEpilogue::kShift, c)),
        slope(Load(e, PixelEpilogue::kSlope, c)),
        last_shift(Load(e, PixelEpilogue::kLastShift, c)),
        low(Load(e, PixelEpilogue::kLow, c)),
        high(Load(e, PixelEpilogue::kHigh, c)) {}

  static RowVector Load(const PixelEpilogue& e, PixelEpilogue::Array i,
                        int64_t c) {
    return LoadChannels(e.array(i), c, e.channels);
  }

  RowVector scale, shift, slope, last_shift, low, high;
};

template <bool kGrid, bool kSlope>
HWY_INLINE RowVector Finish(RowVector x, const PixelEpilogue& e,
                            const ChannelEpilogue& channels) {
  const RowTag d;
  const RowVector zero = hn::Zero(d);
  if constexpr (kGrid) {
    x = hn::Round(
        hn::MulAdd(x, hn::Set(d, e.grid.scale), hn::Set(d, e.grid.shift)));
    x = hn::Min(hn::Max(x, zero), hn::Set(d, e.grid.steps));
  }
  x = hn::MulAdd(x, channels.scale, channels.shift);
  if constexpr (kSlope) {
    x = hn::MulAdd(hn::Min(zero, x), channels.slope, hn::Max(zero, x));
    x = hn::Add(x, channels.last_shift);
  }
  // In this order of operands, NaN stays NaN.
  return hn::Min(channels.high, hn::Max(channels.low, x));
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_PIXEL_EPILOGUE_INL_H_
