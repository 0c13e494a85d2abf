// Rows of 8-bit integers in blocks of 8 channels as 16-bit differences from the
// zero point.
//
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h, where vectors of 16 x 16 bits are.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WIDEN_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WIDEN_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WIDEN_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WIDEN_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A row of `count` pixels: number i of them is pixel first + i * unit of the
// input's row of `input` pixels, or 0 where that has none.
struct WidenedRow {
  WidenedRow(int64_t first, int64_t unit, int64_t count, int64_t input,
             int32_t zero_point)
      : first(first),
        unit(unit),
        count(count),
        begin(std::min(count, PixelsBefore(0))),
        end(std::clamp(PixelsBefore(input), begin, count)),
        zero_point(static_cast<int16_t>(zero_point)) {}

  int64_t PixelsBefore(int64_t end) const {
    const int64_t distance = end - first;
    return distance <= 0 ? 0 : (distance + unit - 1) / unit;
  }

  const int64_t first, unit, count;
  const int64_t begin, end;  // of those that are there
  const int16_t zero_point;
};

// kLanes of the 8 channels of each pixel. Writes up to 8 elements behind the
// row.
template <class Byte, int kLanes>
HWY_INLINE void WidenPixels(const WidenedRow& row, const Byte* from,
                            int16_t* to) {
  constexpr hn::FixedTag<int16_t, 8> d;
  constexpr hn::FixedTag<Byte, 8> bytes;
  const auto zero_point = hn::Set(d, row.zero_point);
  std::fill(to, to + row.begin * kLanes, int16_t{0});
  int64_t i = row.begin;
  if constexpr (kLanes == 8) {
    if (row.unit == 1) {
      constexpr hn::FixedTag<int16_t, 16> two;
      constexpr hn::FixedTag<Byte, 16> two_bytes;
      const auto zero_points = hn::Set(two, row.zero_point);
      for (; i + 2 <= row.end; i += 2) {
        const auto x = hn::LoadU(two_bytes, from + (row.first + i) * 8);
        hn::StoreU(hn::Sub(hn::PromoteTo(two, x), zero_points), two,
                   to + i * 8);
      }
    }
  }
  for (; i < row.end; ++i) {
    const auto x = hn::LoadU(bytes, from + (row.first + i * row.unit) * 8);
    hn::StoreU(hn::Sub(hn::PromoteTo(d, x), zero_point), d, to + i * kLanes);
  }
  std::fill(to + row.end * kLanes, to + row.count * kLanes, int16_t{0});
}

template <class Byte>
HWY_INLINE void WidenRow(const WidenedRow& row, int64_t lanes, const void* from,
                         int16_t* to) {
  const Byte* const bytes = static_cast<const Byte*>(from);
  switch (lanes) {
    case 8:
      return WidenPixels<Byte, 8>(row, bytes, to);
    case 4:
      return WidenPixels<Byte, 4>(row, bytes, to);
    case 3:
      return WidenPixels<Byte, 3>(row, bytes, to);
    case 2:
      return WidenPixels<Byte, 2>(row, bytes, to);
    default:
      return WidenPixels<Byte, 1>(row, bytes, to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_WIDEN_INL_H_
