// Rows of 8-bit integers in blocks of 8 channels as unsigned ones.
//
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h, where vectors of 32 x 8 bits are.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_COPY_BYTES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_COPY_BYTES_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_COPY_BYTES_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_COPY_BYTES_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/widen-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// kLanes of the 8 channels of each pixel, as row.zero_point where there is
// none; `sign` is 128 for signed bytes, which are made 128 greater. least,
// greatest: of each of the 8 channels so far. Writes up to 8 bytes behind the
// row.
template <int kLanes>
HWY_INLINE void CopyPixels(const WidenedRow& row, uint8_t sign,
                           const uint8_t* from, uint8_t* to, uint8_t* least,
                           uint8_t* greatest) {
  constexpr hn::FixedTag<uint8_t, 32> four;
  constexpr hn::FixedTag<uint8_t, 16> two;
  constexpr hn::FixedTag<uint8_t, 8> one;
  const auto zero_point = static_cast<uint8_t>(row.zero_point);
  std::fill(to, to + row.begin * kLanes, zero_point);
  auto fewest = hn::LoadU(one, least), most = hn::LoadU(one, greatest);
  int64_t i = row.begin;
  if (kLanes == 8 && row.unit == 1) {
    auto fewest4 = hn::Set(four, uint8_t{255}), most4 = hn::Zero(four);
    for (; i + 4 <= row.end; i += 4) {
      const auto x = hn::Xor(hn::LoadU(four, from + (row.first + i) * 8),
                             hn::Set(four, sign));
      fewest4 = hn::Min(fewest4, x);
      most4 = hn::Max(most4, x);
      hn::StoreU(x, four, to + i * 8);
    }
    const auto fewest2 =
        hn::Min(hn::LowerHalf(fewest4), hn::UpperHalf(two, fewest4));
    const auto most2 = hn::Max(hn::LowerHalf(most4), hn::UpperHalf(two, most4));
    fewest = hn::Min(fewest, hn::Min(hn::LowerHalf(one, fewest2),
                                     hn::UpperHalf(one, fewest2)));
    most = hn::Max(
        most, hn::Max(hn::LowerHalf(one, most2), hn::UpperHalf(one, most2)));
  }
  for (; i < row.end; ++i) {
    const auto x =
        hn::Xor(hn::LoadU(one, from + (row.first + i * row.unit) * 8),
                hn::Set(one, sign));
    fewest = hn::Min(fewest, x);
    most = hn::Max(most, x);
    hn::StoreU(x, one, to + i * kLanes);
  }
  std::fill(to + row.end * kLanes, to + row.count * kLanes, zero_point);
  hn::StoreU(fewest, one, least);
  hn::StoreU(most, one, greatest);
}

HWY_INLINE void CopyRow(const WidenedRow& row, int64_t lanes, uint8_t sign,
                        const uint8_t* from, uint8_t* to, uint8_t* least,
                        uint8_t* greatest) {
  switch (lanes) {
    case 8:
      return CopyPixels<8>(row, sign, from, to, least, greatest);
    case 4:
      return CopyPixels<4>(row, sign, from, to, least, greatest);
    case 3:
      return CopyPixels<3>(row, sign, from, to, least, greatest);
    case 2:
      return CopyPixels<2>(row, sign, from, to, least, greatest);
    default:
      return CopyPixels<1>(row, sign, from, to, least, greatest);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_BYTES_COPY_BYTES_INL_H_
