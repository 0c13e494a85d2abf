#include "dovetail/core/tensor/types/narrow_float.h"

#include <algorithm>
#include <cstring>

namespace dovetail {
namespace {

constexpr uint32_t kFloatSign = 0x80000000u;
constexpr uint32_t kFloatInfinity = 0x7f800000u;
constexpr uint32_t kFloatNan = 0x7fc00000u;

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float FloatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// value / 2^shift rounded to nearest, ties to even; 0 < shift < 32.
uint32_t ShiftRounded(uint32_t value, int shift) {
  const uint32_t half_minus_one = (1u << (shift - 1)) - 1;
  return (value + half_minus_one + ((value >> shift) & 1)) >> shift;
}

// A format with a sign, then exponent and mantissa as in IEEE 754: bias
// 2^(E-1) - 1, subnormals where the exponent's bits are 0. What the largest
// exponent means is for the caller to say.
template <int kExponentBits, int kMantissaBits>
struct Layout {
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr int kShift = 23 - kMantissaBits;
  static constexpr uint32_t kRebase = static_cast<uint32_t>(127 - kBias) << 23;
  static constexpr uint32_t kSmallestNormal = kRebase + (1u << 23);

  // From a float's bits without sign. Numbers over the range give patterns
  // over the range, in order, so that the caller can clamp them.
  static uint32_t Round(uint32_t magnitude) {
    if (magnitude >= kSmallestNormal) {
      return ShiftRounded(magnitude - kRebase, kShift);
    }
    const int exponent = static_cast<int>(magnitude >> 23);
    const int shift = kShift + 128 - kBias - exponent;
    if (shift > 24) return 0;
    return ShiftRounded((magnitude & 0x7fffffu) | 0x800000u, shift);
  }

  // To a float, from bits without sign, taking every exponent as a number's.
  static float ToFloat(uint32_t magnitude) {
    if ((magnitude >> kMantissaBits) == 0) {
      constexpr uint32_t kUnitExponent = 127 + 1 - kBias - kMantissaBits;
      return static_cast<float>(magnitude) * FloatOf(kUnitExponent << 23);
    }
    return FloatOf((magnitude << kShift) + kRebase);
  }
};

using F16Layout = Layout<5, 10>;
using E5M2Layout = Layout<5, 2>;
using E4M3Layout = Layout<4, 3>;
using E2M1Layout = Layout<2, 1>;

float WithSign(float magnitude, bool negative) {
  return negative ? -magnitude : magnitude;
}

// The levels that split the normal distribution into equal parts, as QLoRA
// defined them.
constexpr float kNf4Levels[16] = {
    -1.0f,
    -0.6961928009986877f,
    -0.5250730514526367f,
    -0.39491748809814453f,
    -0.28444138169288635f,
    -0.18477343022823334f,
    -0.09105003625154495f,
    0.0f,
    0.07958029955625534f,
    0.16093020141124725f,
    0.24611230194568634f,
    0.33791524171829224f,
    0.44070982933044434f,
    0.5626170039176941f,
    0.7229568362236023f,
    1.0f,
};

}  // namespace

float F16BitsToFloat(uint16_t bits) {
  const uint32_t magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) {  // infinity and NaN, whose payload is kept
    return FloatOf((bits & 0x8000u) << 16 | kFloatInfinity |
                   (magnitude & 0x3ffu) << 13);
  }
  return WithSign(F16Layout::ToFloat(magnitude), (bits & 0x8000u) != 0);
}

uint16_t FloatToF16Bits(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t sign = bits >> 16 & 0x8000u;
  const uint32_t magnitude = bits & ~kFloatSign;
  if (magnitude > kFloatInfinity) {
    const uint32_t payload = magnitude >> 13 & 0x3ffu;
    return static_cast<uint16_t>(sign | 0x7c00u | (payload ? payload : 0x200u));
  }
  return static_cast<uint16_t>(
      sign | std::min(F16Layout::Round(magnitude), 0x7c00u));
}

float Bf16BitsToFloat(uint16_t bits) {
  return FloatOf(static_cast<uint32_t>(bits) << 16);
}

uint16_t FloatToBf16Bits(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t magnitude = bits & ~kFloatSign;
  if (magnitude > kFloatInfinity) {
    // The quiet bit only where the payload would vanish and leave infinity.
    const uint32_t upper = bits >> 16;
    return static_cast<uint16_t>((upper & 0x7fu) ? upper : upper | 0x40u);
  }
  return static_cast<uint16_t>(bits >> 16 & 0x8000u) |
         static_cast<uint16_t>(ShiftRounded(magnitude, 16));
}

float F8E4M3BitsToFloat(uint8_t bits) {
  const uint32_t magnitude = bits & 0x7fu;
  const bool negative = (bits & 0x80u) != 0;
  if (magnitude == 0x7fu) {
    return FloatOf((negative ? kFloatSign : 0) | kFloatNan);
  }
  return WithSign(E4M3Layout::ToFloat(magnitude), negative);
}

uint8_t FloatToF8E4M3Bits(float value) {
  const uint32_t bits = BitsOf(value);
  // Infinity and NaN round to patterns over the largest number, as does all
  // that is too large: they all are NaN.
  const uint32_t rounded =
      std::min(E4M3Layout::Round(bits & ~kFloatSign), 0x7fu);
  return static_cast<uint8_t>((bits >> 24 & 0x80u) | rounded);
}

float F8E5M2BitsToFloat(uint8_t bits) {
  // The upper half of an f16, special values included.
  return F16BitsToFloat(static_cast<uint16_t>(bits << 8));
}

uint8_t FloatToF8E5M2Bits(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t sign = bits >> 24 & 0x80u;
  const uint32_t magnitude = bits & ~kFloatSign;
  if (magnitude > kFloatInfinity) {
    const uint32_t payload = magnitude >> 21 & 3u;
    return static_cast<uint8_t>(sign | 0x7cu | (payload ? payload : 2u));
  }
  return static_cast<uint8_t>(sign |
                              std::min(E5M2Layout::Round(magnitude), 0x7cu));
}

float F8E8M0BitsToFloat(uint8_t bits) {
  if (bits == 0xffu) return FloatOf(kFloatNan);
  if (bits == 0) return FloatOf(0x00400000u);  // 2^-127, a subnormal float
  return FloatOf(static_cast<uint32_t>(bits) << 23);
}

uint8_t FloatToF8E8M0Bits(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t magnitude = bits & ~kFloatSign;
  if (magnitude > kFloatInfinity) return 0xff;
  if ((bits & kFloatSign) != 0) return 0;  // the least there is
  // Below 2^-126 floats are evenly spaced: 2^-127 ends at one and a half.
  if (magnitude < 0x00800000u) return magnitude > 0x00600000u ? 1 : 0;
  return static_cast<uint8_t>(std::min(ShiftRounded(magnitude, 23), 0xfeu));
}

float F4E2M1BitsToFloat(uint8_t bits) {
  return WithSign(E2M1Layout::ToFloat(bits & 7u), (bits & 8u) != 0);
}

uint8_t FloatToF4E2M1Bits(float value) {
  const uint32_t bits = BitsOf(value);
  // No pattern is left for infinity or NaN: they become the largest number.
  const uint32_t rounded = std::min(E2M1Layout::Round(bits & ~kFloatSign), 7u);
  return static_cast<uint8_t>((bits >> 28 & 8u) | rounded);
}

float Nf4BitsToFloat(uint8_t bits) { return kNf4Levels[bits & 15u]; }

uint8_t FloatToNf4Bits(float value) {
  if (value != value) return 7;  // there is no NaN: the level 0
  uint8_t level = 0;
  while (level < 15 &&
         value > (kNf4Levels[level] + kNf4Levels[level + 1]) / 2) {
    ++level;
  }
  return level;
}

}  // namespace dovetail
