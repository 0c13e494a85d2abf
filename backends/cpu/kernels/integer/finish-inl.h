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

// What is done to the sums of one block of 8 channels.
class Finish {
 public:
  // channels: of the block that are none of padding, up to 8.
  // factor: of what sums are multiplied by, besides the scale.
  Finish(const IntegerConvolutionOperands& operands, int64_t block,
         int64_t channels, float factor = 1)
      : e_(operands.epilogue),
        residual_(operands.residual),
        output_(operands.output),
        scale_(hn::Mul(hn::Set(kNumberTag, factor),
                       hn::LoadU(kNumberTag, e_.scale + block * 8))),
        bias_(hn::LoadU(kNumberTag, e_.bias + block * 8)),
        slope_(e_.slope == nullptr
                   ? hn::Set(kNumberTag, 1.0f)
                   : hn::LoadU(kNumberTag, e_.slope + block * 8)),
        output_scale_(LoadOrZero(e_.output_scale, block)),
        output_shift_(LoadOrZero(e_.output_shift, block)),
        has_padding_(channels < 8),
        kept_(hn::FirstN(kNumberTag, static_cast<size_t>(channels))) {}

  // `count` pixels, whose elements are at `at` and behind in the output.
  template <class Sum>  // int32_t or float
  HWY_INLINE void Store(const Sum* sums, int64_t at, int64_t count) const {
    const int64_t end = at + count * 8;
    if (e_.output_type == ElementType::kF32) {
      for (; at < end; at += 8, sums += 8) StoreFloats(Compute(sums, at), at);
    } else {
      const Range range = OutputRange();
      for (; at < end; at += 8, sums += 8) {
        StoreBytes(Compute(sums, at), range, at);
      }
    }
  }

 private:
  struct Range {
    NumberVector low, high;
  };

  static NumberVector LoadOrZero(const float* numbers, int64_t block) {
    return numbers == nullptr ? hn::Zero(kNumberTag)
                              : hn::LoadU(kNumberTag, numbers + block * 8);
  }

  Range OutputRange() const {
    const bool is_signed = e_.output_type == ElementType::kI8;
    return {hn::Set(kNumberTag,
                    std::max(e_.output_low, is_signed ? -128.0f : 0.0f)),
            hn::Set(kNumberTag,
                    std::min(e_.output_high, is_signed ? 127.0f : 255.0f))};
  }

  NumberVector Residual(int64_t at) const {
    switch (e_.residual_type) {
      case ElementType::kU8:
        return LoadBytes<uint8_t>(residual_, at);
      case ElementType::kI8:
        return LoadBytes<int8_t>(residual_, at);
      default:
        return LoadNumbers(static_cast<const float*>(residual_) + at);
    }
  }

  template <class Sum>
  HWY_INLINE NumberVector Compute(const Sum* sums, int64_t at) const {
    NumberVector x = hn::MulAdd(LoadNumbers(sums), scale_, bias_);
    if (residual_ != nullptr) {
      x = hn::Add(
          x, hn::MulAdd(Residual(at), hn::Set(kNumberTag, e_.residual_scale),
                        hn::Set(kNumberTag, e_.residual_shift)));
    }
    if (e_.slope != nullptr) {
      x = hn::IfThenElse(hn::Lt(x, hn::Zero(kNumberTag)), hn::Mul(x, slope_),
                         x);
    }
    return hn::Min(hn::Max(x, hn::Set(kNumberTag, e_.low)),
                   hn::Set(kNumberTag, e_.high));
  }

  HWY_INLINE void StoreFloats(NumberVector x, int64_t at) const {
    if (has_padding_) x = hn::IfThenElseZero(kept_, x);
    hn::StoreU(x, kNumberTag, static_cast<float*>(output_) + at);
  }

  HWY_INLINE void StoreBytes(NumberVector x, const Range& range,
                             int64_t at) const {
    constexpr hn::FixedTag<uint32_t, 8> bits;
    constexpr hn::FixedTag<uint8_t, 8> bytes;
    x = hn::MulAdd(x, output_scale_, output_shift_);
    x = hn::Min(hn::Max(x, range.low), range.high);
    // The integer, modulo 256, is the low byte of a float of this magnitude.
    x = hn::Add(x, hn::Set(kNumberTag, 12582912.0f));
    if (has_padding_) x = hn::IfThenElseZero(kept_, x);
    hn::StoreU(hn::U8FromU32(hn::BitCast(bits, x)), bytes,
               static_cast<uint8_t*>(output_) + at);
  }

  const IntegerEpilogue& e_;
  const void* const residual_;
  void* const output_;
  const NumberVector scale_, bias_, slope_, output_scale_, output_shift_;
  const bool has_padding_;
  const hn::Mask<decltype(kNumberTag)> kept_;
};

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FINISH_INL_H_
