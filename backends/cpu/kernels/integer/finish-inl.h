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

#include "dovetail/backends/common/kernels/simd/gelu_terms.h"
#include "dovetail/backends/common/kernels/simd/math-inl.h"
#include "dovetail/backends/cpu/kernels/integer/integer_method.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::FixedTag<float, 8> kFloatTag;
using FloatVector = hn::Vec<decltype(kFloatTag)>;

HWY_INLINE FloatVector LoadFloats(const float* from) {
  return hn::LoadU(kFloatTag, from);
}
HWY_INLINE FloatVector LoadFloats(const int32_t* from) {
  constexpr hn::FixedTag<int32_t, 8> d;
  return hn::ConvertTo(kFloatTag, hn::LoadU(d, from));
}
template <class Byte>  // uint8_t or int8_t
HWY_INLINE FloatVector LoadBytes(const void* from, int64_t at) {
  constexpr hn::FixedTag<int32_t, 8> d;
  constexpr hn::FixedTag<Byte, 8> bytes;
  return hn::ConvertTo(
      kFloatTag,
      hn::PromoteTo(d, hn::LoadU(bytes, static_cast<const Byte*>(from) + at)));
}

enum class Residual { kNone, kF32, kU8, kI8 };

// What is done between scale and bias of the sums and slope and limits.
enum class Middle { kNothing, kGrid, kActivation, kGelu };

constexpr bool Activates(Middle middle) {
  return middle == Middle::kActivation || middle == Middle::kGelu;
}

template <Residual kKind>
HWY_INLINE FloatVector LoadResidual(const void* from, int64_t at) {
  if constexpr (kKind == Residual::kU8) {
    return LoadBytes<uint8_t>(from, at);
  } else if constexpr (kKind == Residual::kI8) {
    return LoadBytes<int8_t>(from, at);
  } else {
    return LoadFloats(static_cast<const float*>(from) + at);
  }
}

// 1 / (1 + exp(-x)) with a relative error of 1e-6, which is 1e-7 near 0; NaN of
// NaN.
HWY_INLINE FloatVector SigmoidOf(FloatVector x) {
  namespace math = host::HWY_NAMESPACE;
  // So that both the power and its reciprocal are normal numbers.
  x = math::MinKeepNaN(hn::Set(kFloatTag, 87.0f), x);
  x = math::MaxKeepNaN(hn::Set(kFloatTag, -87.0f), x);
  const FloatVector power = math::PowerOfTwoBy(kFloatTag, x, -math::kLog2E);
  return math::Reciprocal(kFloatTag,
                          hn::Add(power, hn::Set(kFloatTag, 1.0f)));
}

HWY_INLINE FloatVector HSwishOf(FloatVector x) {
  const FloatVector shifted = hn::Add(x, hn::Set(kFloatTag, 3.0f));
  const FloatVector gate = hn::Min(hn::Max(shifted, hn::Zero(kFloatTag)),
                                   hn::Set(kFloatTag, 6.0f));
  return hn::Mul(x, hn::Mul(gate, hn::Set(kFloatTag, 1.0f / 6)));
}

// What is done to the sums of one block of 8 channels. Where results are
// integers, the output's scale is a part of all factors from the start, but of
// those before an activation.
class Finish {
 public:
  // channels: of the block that are none of padding; all from 8 on.
  Finish(const IntegerConvolutionOperands& operands, int64_t block,
         int64_t channels)
      : residual_(operands.residual), output_(operands.output) {
    const IntegerEpilogue& e = operands.epilogue;
    stores_bytes_ = e.output_type != ElementType::kF32;
    activation_ = e.activation;
    beta_ = e.beta;
    middle_ = MiddleOf(e);
    has_slope_ = e.slope != nullptr;
    kind_ = residual_ == nullptr                  ? Residual::kNone
            : e.residual_type == ElementType::kU8 ? Residual::kU8
            : e.residual_type == ElementType::kI8 ? Residual::kI8
                                                  : Residual::kF32;
    SetFactors(e, block);
    const auto kept = hn::VecFromMask(
        kIntegerTag, hn::FirstN(kIntegerTag, static_cast<size_t>(channels)));
    kept_ = hn::BitCast(kFloatTag, kept);
    const auto bytes = hn::And(kept, hn::Set(kIntegerTag, 255));
    kept_bytes_ = Pack(bytes, bytes, bytes, bytes);
  }

  // `count` pixels, whose elements are at `at` and behind in the output.
  template <class Sum>  // int32_t or float
  HWY_INLINE void Store(const Sum* sums, int64_t at, int64_t count) const {
    switch (middle_) {
      case Middle::kNothing:
        return StoreOfMiddle<Middle::kNothing>(sums, at, count);
      case Middle::kGrid:
        return StoreOfMiddle<Middle::kGrid>(sums, at, count);
      case Middle::kActivation:
        return StoreOfKind<Residual::kNone, Middle::kActivation>(sums, at,
                                                                 count);
      case Middle::kGelu:
        return StoreOfKind<Residual::kNone, Middle::kGelu>(sums, at, count);
    }
  }

 private:
  using Activation = IntegerEpilogue::Activation;
  static constexpr hn::FixedTag<uint8_t, 32> kByteTag{};
  static constexpr hn::FixedTag<int16_t, 16> kHalfTag{};
  static constexpr hn::FixedTag<int32_t, 8> kIntegerTag{};
  using ByteVector = hn::Vec<hn::FixedTag<uint8_t, 32>>;
  using IntegerVector = hn::Vec<hn::FixedTag<int32_t, 8>>;
  // Floats of this magnitude are whole numbers.
  static constexpr float kNoFraction = 12582912.0f;

  static Middle MiddleOf(const IntegerEpilogue& e) {
    switch (e.activation) {
      case Activation::kNone:
        return e.has_grid ? Middle::kGrid : Middle::kNothing;
      case Activation::kGelu:
      case Activation::kGeluTanh:
        return Middle::kGelu;
      default:
        return Middle::kActivation;
    }
  }

  void SetFactors(const IntegerEpilogue& e, int64_t block) {
    const FloatVector one = hn::Set(kFloatTag, 1.0f);
    const FloatVector scale =
        stores_bytes_ ? LoadFloats(e.output_scale + block * 8) : one;
    const auto scaled = [&](float x) HWY_ATTR {
      return hn::Mul(scale, hn::Set(kFloatTag, x));
    };
    const FloatVector bias = LoadFloats(e.bias + block * 8);
    residual_scale_ = scaled(e.residual_scale);
    shift_ = scaled(residual_ == nullptr ? 0 : e.residual_shift);
    FloatVector first = scale;  // what sums and bias are multiplied by
    if (Activates(middle_)) {
      first = one;
      shift_ = bias;
      activated_scale_ = scale;
    } else if (middle_ == Middle::kGrid) {
      first = hn::Set(kFloatTag, e.grid.scale);
      grid_shift_ = hn::MulAdd(bias, first, hn::Set(kFloatTag, e.grid.shift));
      grid_low_ = hn::Set(kFloatTag, e.grid.low);
      grid_high_ = hn::Set(kFloatTag, e.grid.high);
      grid_step_ = scaled(e.grid.step);
      shift_ = hn::Add(shift_, scaled(e.grid.offset));
    } else {
      shift_ = hn::MulAdd(bias, scale, shift_);
    }
    scale_ = hn::Mul(LoadFloats(e.scale + block * 8), first);
    low_ = scaled(e.low);
    high_ = scaled(e.high);
    has_low_ = true;
    if (has_slope_) slope_ = LoadFloats(e.slope + block * 8);
    last_shift_ = hn::Zero(kFloatTag);
    sign_ = hn::Zero(kByteTag);
    if (stores_bytes_) SetBytes(e, block);
  }

  // Signed bytes are computed 128 too great, and get their sign at the end.
  // What is below 0 then becomes 0 by itself.
  void SetBytes(const IntegerEpilogue& e, int64_t block) {
    const bool is_signed = e.output_type == ElementType::kI8;
    const float offset = is_signed ? 128 : 0;
    const auto limit = [&](float x) HWY_ATTR {
      return hn::Set(kFloatTag, std::clamp(x + offset, 0.0f, 255.0f));
    };
    last_shift_ = hn::Add(LoadFloats(e.output_shift + block * 8),
                          hn::Set(kFloatTag, offset));
    low_ = hn::Max(hn::Add(low_, last_shift_), limit(e.output_low));
    high_ = hn::Min(hn::Add(high_, last_shift_), limit(e.output_high));
    has_low_ = !hn::AllTrue(kFloatTag, hn::Le(low_, hn::Zero(kFloatTag)));
    if (!has_slope_ && !Activates(middle_)) {
      shift_ = hn::Add(shift_, last_shift_);
    }
    sign_ = hn::Set(kByteTag, is_signed ? 0x80 : 0);
  }

  template <Middle kMiddle, class Sum>
  HWY_INLINE void StoreOfMiddle(const Sum* sums, int64_t at,
                              int64_t count) const {
    switch (kind_) {
      case Residual::kNone:
        return StoreOfKind<Residual::kNone, kMiddle>(sums, at, count);
      case Residual::kF32:
        return StoreOfKind<Residual::kF32, kMiddle>(sums, at, count);
      case Residual::kU8:
        return StoreOfKind<Residual::kU8, kMiddle>(sums, at, count);
      case Residual::kI8:
        return StoreOfKind<Residual::kI8, kMiddle>(sums, at, count);
    }
  }

  template <Residual kKind, Middle kMiddle, class Sum>
  HWY_NOINLINE void StoreOfKind(const Sum* sums, int64_t at,
                                int64_t count) const {
    if (stores_bytes_) {
      StoreBytes<kKind, kMiddle>(sums, at, count);
    } else {
      StoreFloats<kKind, kMiddle>(sums, at, count);
    }
  }

  template <Residual kKind, Middle kMiddle, class Sum>
  HWY_INLINE FloatVector Compute(const Sum* sums, int64_t at) const {
    constexpr bool kGrid = kMiddle == Middle::kGrid;
    FloatVector x =
        hn::MulAdd(LoadFloats(sums), scale_, kGrid ? grid_shift_ : shift_);
    if constexpr (Activates(kMiddle)) {
      x = hn::MulAdd(kMiddle == Middle::kGelu ? Gelu(x) : Activated(x),
                     activated_scale_, last_shift_);
      return hn::Min(hn::Max(x, low_), high_);
    }
    if constexpr (kGrid) {
      const FloatVector whole = hn::Set(kFloatTag, kNoFraction);
      x = hn::Min(hn::Max(x, grid_low_), grid_high_);
      x = hn::MulAdd(hn::Sub(hn::Add(x, whole), whole), grid_step_, shift_);
    }
    if constexpr (kKind != Residual::kNone) {
      x = hn::MulAdd(LoadResidual<kKind>(residual_, at), residual_scale_, x);
    }
    if (has_slope_) {
      const FloatVector zero = hn::Zero(kFloatTag);
      x = hn::Add(hn::MulAdd(hn::Min(x, zero), slope_, hn::Max(x, zero)),
                  last_shift_);
    }
    if (has_low_) x = hn::Max(x, low_);
    return hn::Min(x, high_);
  }

  HWY_INLINE FloatVector Gelu(FloatVector x) const {
    namespace math = host::HWY_NAMESPACE;
    constexpr float kLn2 = 0.693147181f;
    x = math::MaxKeepNaN(hn::Set(kFloatTag, host::kGeluLeast), x);
    const FloatVector exponent = activation_ == Activation::kGelu
                                     ? math::GeluErfExponent(kFloatTag, x)
                                     : math::GeluTanhExponent(kFloatTag, x);
    return hn::Mul(x, SigmoidOf(hn::Mul(exponent, hn::Set(kFloatTag, -kLn2))));
  }

  HWY_INLINE FloatVector Activated(FloatVector x) const {
    switch (activation_) {
      case Activation::kSigmoid:
        return SigmoidOf(x);
      case Activation::kSwish:
        return hn::Mul(x, SigmoidOf(hn::Mul(x, hn::Set(kFloatTag, beta_))));
      case Activation::kHSwish:
        return HSwishOf(x);
      default:
        return x;
    }
  }

  template <Residual kKind, Middle kMiddle, class Sum>
  HWY_INLINE void StoreFloats(const Sum* sums, int64_t at,
                              int64_t count) const {
    float* const output = static_cast<float*>(output_);
    for (int64_t i = 0; i < count; ++i, at += 8, sums += 8) {
      hn::StoreU(hn::And(Compute<kKind, kMiddle>(sums, at), kept_), kFloatTag,
                 output + at);
    }
  }

  // To the nearest integer. What is too small for 32 bits becomes the smallest
  // one, and nothing is too great.
  static HWY_INLINE IntegerVector Round(FloatVector x) {
    return IntegerVector{_mm256_cvtps_epi32(x.raw)};
  }

  template <Residual kKind, Middle kMiddle, class Sum>
  HWY_INLINE void StoreBytes(const Sum* sums, int64_t at, int64_t count) const {
    constexpr hn::FixedTag<uint8_t, 8> one;
    const Finish own = *this;  // which no store can change
    uint8_t* const output = static_cast<uint8_t*>(own.output_);
    const auto round = [&](int64_t i) HWY_ATTR {
      return Round(own.Compute<kKind, kMiddle>(sums + i * 8, at + i * 8));
    };
    const auto finish = [&](ByteVector x) HWY_ATTR {
      return hn::And(hn::Xor(x, own.sign_), own.kept_bytes_);
    };
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
      hn::StoreU(
          finish(Pack(round(i), round(i + 1), round(i + 2), round(i + 3))),
          kByteTag, output + at + i * 8);
    }
    for (; i < count; ++i) {
      const IntegerVector x = round(i);
      const auto pixels = hn::LowerHalf(finish(Pack(x, x, x, x)));
      hn::StoreU(hn::LowerHalf(one, pixels), one, output + at + i * 8);
    }
  }

  // Four pixels of integers, limited to unsigned bytes, one after the other.
  static HWY_INLINE ByteVector Pack(IntegerVector a, IntegerVector b,
                                    IntegerVector c, IntegerVector d) {
    const auto ab = hn::ReorderDemote2To(kHalfTag, a, b);
    const auto cd = hn::ReorderDemote2To(kHalfTag, c, d);
    // In each half there are now 4 channels of each pixel.
    const ByteVector halves{_mm256_packus_epi16(ab.raw, cd.raw)};
    HWY_ALIGN static constexpr int32_t kQuads[8] = {0, 4, 1, 5, 2, 6, 3, 7};
    return hn::BitCast(kByteTag, hn::TableLookupLanes(
                                     hn::BitCast(kIntegerTag, halves),
                                     hn::SetTableIndices(kIntegerTag, kQuads)));
  }

  const void* residual_;
  void* output_;
  Residual kind_;
  Activation activation_;
  float beta_;
  Middle middle_;
  bool stores_bytes_, has_slope_, has_low_;
  // Of sums, of activated ones or with a grid then of that, then of what is
  // below 0, then limits.
  FloatVector scale_, shift_, residual_scale_;
  FloatVector activated_scale_;
  FloatVector grid_shift_, grid_low_, grid_high_, grid_step_;
  FloatVector slope_, last_shift_, low_, high_;
  FloatVector kept_;  // all bits of channels that are none of padding
  ByteVector kept_bytes_;
  ByteVector sign_;  // changes the sign of bytes
};

}  // namespace HWY_NAMESPACE
}  // namespace dovetail::cpu
HWY_AFTER_NAMESPACE();

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_INTEGER_FINISH_INL_H_
