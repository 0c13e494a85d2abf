// Floating-point types narrower than 32 bits as C++ values. Each holds its
// bits, converts to float implicitly and from float explicitly (round to
// nearest even; overflow as the format says), so that a kernel template reads
// the same for all of them: arithmetic happens in float.
#ifndef DOVETAIL_CORE_TENSOR_TYPES_NARROW_FLOAT_H_
#define DOVETAIL_CORE_TENSOR_TYPES_NARROW_FLOAT_H_

#include <cstdint>
#include <type_traits>

namespace dovetail {

// IEEE 754 binary16.
float F16BitsToFloat(uint16_t bits);
uint16_t FloatToF16Bits(float value);
// The upper half of an IEEE 754 binary32.
float Bf16BitsToFloat(uint16_t bits);
uint16_t FloatToBf16Bits(float value);
// OCP 8-bit formats. E4M3: no infinities, NaN 0x7f, largest 448, a larger
// number becomes NaN. E5M2: infinities, largest 57344. E8M0: a power of two
// from 2^-127 to 2^127, no sign, NaN 0xff; what is smaller (0 and negative
// numbers too) or larger becomes the nearest end.
float F8E4M3BitsToFloat(uint8_t bits);
uint8_t FloatToF8E4M3Bits(float value);
float F8E5M2BitsToFloat(uint8_t bits);
uint8_t FloatToF8E5M2Bits(float value);
float F8E8M0BitsToFloat(uint8_t bits);
uint8_t FloatToF8E8M0Bits(float value);
// OCP 4-bit E2M1 (0, .5, 1, 1.5, 2, 3, 4, 6 and negatives) and the sixteen
// levels of NormalFloat4; bits in the low nibble. Neither has infinity or NaN:
// numbers out of range become the nearest end, NaN 6 in E2M1 and 0 in
// NormalFloat4.
float F4E2M1BitsToFloat(uint8_t bits);
uint8_t FloatToF4E2M1Bits(float value);
float Nf4BitsToFloat(uint8_t bits);
uint8_t FloatToNf4Bits(float value);

template <typename BitsT, float (*kToFloat)(BitsT), BitsT (*kFromFloat)(float)>
struct NarrowFloat {
  using Bits = BitsT;
  Bits bits = 0;

  NarrowFloat() = default;
  explicit NarrowFloat(float value) : bits(kFromFloat(value)) {}
  // From double, any integer or bool: rounded to float first.
  template <typename Number,
            typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
  explicit NarrowFloat(Number value)
      : bits(kFromFloat(static_cast<float>(value))) {}
  static NarrowFloat FromBits(Bits bits) {
    NarrowFloat result;
    result.bits = bits;
    return result;
  }
  operator float() const { return kToFloat(bits); }  // NOLINT: reads as float
};

using Float16 = NarrowFloat<uint16_t, &F16BitsToFloat, &FloatToF16Bits>;
using BFloat16 = NarrowFloat<uint16_t, &Bf16BitsToFloat, &FloatToBf16Bits>;
using Float8E4M3 = NarrowFloat<uint8_t, &F8E4M3BitsToFloat, &FloatToF8E4M3Bits>;
using Float8E5M2 = NarrowFloat<uint8_t, &F8E5M2BitsToFloat, &FloatToF8E5M2Bits>;
using Float8E8M0 = NarrowFloat<uint8_t, &F8E8M0BitsToFloat, &FloatToF8E8M0Bits>;

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_TYPES_NARROW_FLOAT_H_
