// From sums of products of integers to stored results: IntegerEpilogue, on
// vectors of 8 channels.
//
// Compiled once per instruction set: include it after highway.h in a file of
// foreach_target.h, where vectors of 8 x 32 bits are.
#if defined(DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FINISH_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FINISH_INL_H_
#undef DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FINISH_INL_H_
#else
#define DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FINISH_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::FixedTag<float, 8> kNumberTag;
using NumberVector = hn::Vec<decltype(kNumberTag)>;

HWY_INLINE NumberVector LoadNumbers(const float* from) {
  return hn::LoadU(kNumberTag, from);
}
HWY_INLINE NumberVector LoadNumbers(const int32_t* from) {
  constexpr hn::FixedTag<int32_t, 8> d;
  return hn::ConvertTo(kNumberTag, hn::LoadU(d, from));
}
template <class Byte>  // uint8_t or int8_t
HWY_INLINE NumberVector LoadBytes(const void* from, int64_t at) {
  constexpr hn::FixedTag<int32_t, 8> d;
  constexpr hn::FixedTag<Byte, 8> bytes;
  return hn::ConvertTo(
      kNumberTag,
      hn::PromoteTo(d, hn::LoadU(bytes, static_cast<const Byte*>(from) + at)));
}

enum class Residual { kNone, kF32, kU8, kI8 };

template <Residual kKind>
HWY_INLINE NumberVector LoadResidual(const void* from, int64_t at) {
  if constexpr (kKind == Residual::kU8) {
    return LoadBytes<uint8_t>(from, at);
  } else if constexpr (kKind == Residual::kI8) {
    return LoadBytes<int8_t>(from, at);
  } else {
    return LoadNumbers(static_cast<const float*>(from) + at);
  }
}

// What is done to the sums of one block of 8 channels. Where results are
// integers, the output's scale is a part of all factors from the start.
class Finish {
 public:
  // channels: of the block that are none of padding; all from 8 on.
  // factor: of what sums are multiplied by, besides the scale.
  Finish(const IntegerConvolutionOperands& operands, int64_t block,
         int64_t channels, float factor = 1)
      : residual_(operands.residual), output_(operands.output) {
    const IntegerEpilogue& e = operands.epilogue;
    const bool is_float = e.output_type == ElementType::kF32;
    const NumberVector scale = is_float
                                   ? hn::Set(kNumberTag, 1.0f)
                                   : LoadNumbers(e.output_scale + block * 8);
    const NumberVector shift = is_float
                                   ? hn::Zero(kNumberTag)
                                   : LoadNumbers(e.output_shift + block * 8);
    const auto scaled = [&](float x) HWY_ATTR {
      return hn::Mul(scale, hn::Set(kNumberTag, x));
    };
    residual_scale_ = scaled(e.residual_scale);
    shift_ = scaled(residual_ == nullptr ? 0 : e.residual_shift);
    has_grid_ = e.has_grid;
    NumberVector first = scale;  // what sums and bias are multiplied by
    if (has_grid_) {
      first = hn::Set(kNumberTag, e.grid.scale);
      grid_shift_ = hn::MulAdd(LoadNumbers(e.bias + block * 8), first,
                               hn::Set(kNumberTag, e.grid.shift));
      grid_low_ = hn::Set(kNumberTag, e.grid.low);
      grid_high_ = hn::Set(kNumberTag, e.grid.high);
      grid_step_ = scaled(e.grid.step);
      shift_ = hn::Add(shift_, scaled(e.grid.offset));
    } else {
      shift_ = hn::MulAdd(LoadNumbers(e.bias + block * 8), scale, shift_);
    }
    scale_ = hn::Mul(hn::Mul(LoadNumbers(e.scale + block * 8), first),
                     hn::Set(kNumberTag, factor));
    has_slope_ = e.slope != nullptr;
    if (has_slope_) {
      slope_ = LoadNumbers(e.slope + block * 8);
      last_shift_ = shift;
    } else {
      shift_ = hn::Add(shift_, shift);
    }
    low_ = hn::Add(scaled(e.low), shift);
    high_ = hn::Add(scaled(e.high), shift);
    if (!is_float) {
      const bool is_signed = e.output_type == ElementType::kI8;
      Limit(std::max(e.output_low, is_signed ? -128.0f : 0.0f),
            std::min(e.output_high, is_signed ? 127.0f : 255.0f));
    }
    kept_ = hn::VecFromMask(
        kBitsTag, hn::FirstN(kBitsTag, static_cast<size_t>(channels)));
    stores_bytes_ = !is_float;
    kind_ = residual_ == nullptr                  ? Residual::kNone
            : e.residual_type == ElementType::kU8 ? Residual::kU8
            : e.residual_type == ElementType::kI8 ? Residual::kI8
                                                  : Residual::kF32;
  }

  // `count` pixels, whose elements are at `at` and behind in the output.
  template <class Sum>  // int32_t or float
  HWY_INLINE void Store(const Sum* sums, int64_t at, int64_t count) const {
    if (has_grid_) {
      StoreOfGrid<true>(sums, at, count);
    } else {
      StoreOfGrid<false>(sums, at, count);
    }
  }

 private:
  static constexpr hn::FixedTag<uint32_t, 8> kBitsTag{};
  // Floats of this magnitude are whole numbers.
  static constexpr float kNoFraction = 12582912.0f;
  using BitsVector = hn::Vec<hn::FixedTag<uint32_t, 8>>;

  void Limit(float low, float high) {
    low_ = hn::Max(low_, hn::Set(kNumberTag, low));
    high_ = hn::Min(high_, hn::Set(kNumberTag, high));
  }

  template <bool kGrid, class Sum>
  HWY_INLINE void StoreOfGrid(const Sum* sums, int64_t at,
                              int64_t count) const {
    switch (kind_) {
      case Residual::kNone:
        return StoreOfKind<Residual::kNone, kGrid>(sums, at, count);
      case Residual::kF32:
        return StoreOfKind<Residual::kF32, kGrid>(sums, at, count);
      case Residual::kU8:
        return StoreOfKind<Residual::kU8, kGrid>(sums, at, count);
      case Residual::kI8:
        return StoreOfKind<Residual::kI8, kGrid>(sums, at, count);
    }
  }

  template <Residual kKind, bool kGrid, class Sum>
  HWY_NOINLINE void StoreOfKind(const Sum* sums, int64_t at,
                                int64_t count) const {
    if (stores_bytes_) {
      StoreBytes<kKind, kGrid>(sums, at, count);
    } else {
      StoreFloats<kKind, kGrid>(sums, at, count);
    }
  }

  template <Residual kKind, bool kGrid, class Sum>
  HWY_INLINE NumberVector Compute(const Sum* sums, int64_t at) const {
    NumberVector x = hn::MulAdd(LoadNumbers(sums), scale_,
                                kGrid ? grid_shift_ : shift_);
    if constexpr (kGrid) {
      const NumberVector whole = hn::Set(kNumberTag, kNoFraction);
      x = hn::Min(hn::Max(x, grid_low_), grid_high_);
      x = hn::MulAdd(hn::Sub(hn::Add(x, whole), whole), grid_step_, shift_);
    }
    if constexpr (kKind != Residual::kNone) {
      x = hn::MulAdd(LoadResidual<kKind>(residual_, at), residual_scale_, x);
    }
    if (has_slope_) {
      const NumberVector zero = hn::Zero(kNumberTag);
      x = hn::Add(hn::MulAdd(hn::Min(x, zero), slope_, hn::Max(x, zero)),
                  last_shift_);
    }
    return hn::Min(hn::Max(x, low_), high_);
  }

  template <Residual kKind, bool kGrid, class Sum>
  HWY_INLINE void StoreFloats(const Sum* sums, int64_t at,
                              int64_t count) const {
    float* const output = static_cast<float*>(output_);
    const NumberVector kept = hn::BitCast(kNumberTag, kept_);
    for (int64_t i = 0; i < count; ++i, at += 8, sums += 8) {
      hn::StoreU(hn::And(Compute<kKind, kGrid>(sums, at), kept), kNumberTag,
                 output + at);
    }
  }

  // Integers of a byte in 32 bits.
  template <Residual kKind, bool kGrid, class Sum>
  HWY_INLINE BitsVector Round(const Sum* sums, int64_t at,
                              BitsVector kept) const {
    // The integer, modulo 256, is then the low byte.
    const NumberVector x =
        hn::Add(Compute<kKind, kGrid>(sums, at), hn::Set(kNumberTag, kNoFraction));
    return hn::And(hn::BitCast(kBitsTag, x), kept);
  }

  template <Residual kKind, bool kGrid, class Sum>
  HWY_INLINE void StoreBytes(const Sum* sums, int64_t at, int64_t count) const {
    constexpr hn::FixedTag<uint8_t, 8> bytes;
    const Finish own = *this;  // which no store can change
    uint8_t* const output = static_cast<uint8_t*>(own.output_);
    const BitsVector kept = hn::And(own.kept_, hn::Set(kBitsTag, 0xFF));
    const auto round = [&](int64_t i) HWY_ATTR {
      return own.Round<kKind, kGrid>(sums + i * 8, at + i * 8, kept);
    };
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
      StoreFour(round(i), round(i + 1), round(i + 2), round(i + 3),
                output + at + i * 8);
    }
    for (; i < count; ++i) {
      hn::StoreU(hn::U8FromU32(round(i)), bytes, output + at + i * 8);
    }
  }

  static HWY_INLINE void StoreFour(BitsVector a, BitsVector b, BitsVector c,
                                   BitsVector d, uint8_t* to) {
    constexpr hn::FixedTag<int32_t, 8> d32;
    constexpr hn::FixedTag<int16_t, 16> d16;
    constexpr hn::FixedTag<uint8_t, 32> d8;
    // In each half: 4 of a, 4 of b, with c and d in the upper bytes.
    const auto ab =
        hn::ReorderDemote2To(d16, hn::BitCast(d32, a), hn::BitCast(d32, b));
    const auto cd =
        hn::ReorderDemote2To(d16, hn::BitCast(d32, c), hn::BitCast(d32, d));
    const auto all = hn::BitCast(d8, hn::Or(ab, hn::ShiftLeft<8>(cd)));
    HWY_ALIGN static constexpr uint8_t kBytes[32] = {
        0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15,
        0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15};
    HWY_ALIGN static constexpr int32_t kQuads[8] = {0, 4, 1, 5, 2, 6, 3, 7};
    const auto quads =
        hn::BitCast(d32, hn::TableLookupBytes(all, hn::Load(d8, kBytes)));
    hn::StoreU(hn::BitCast(d8, hn::TableLookupLanes(
                                   quads, hn::SetTableIndices(d32, kQuads))),
               d8, to);
  }

  const void* residual_;
  void* output_;
  Residual kind_;
  bool stores_bytes_, has_grid_, has_slope_;
  // Of sums, with a grid then of that, then of what is below 0, then limits.
  NumberVector scale_, shift_, residual_scale_;
  NumberVector grid_shift_, grid_low_, grid_high_, grid_step_;
  NumberVector slope_, last_shift_, low_, high_;
  BitsVector kept_;  // all bits of channels that are none of padding
};

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FINISH_INL_H_
