// A number as another type, the way the operation Convert does it. C++ leaves
// open what a float out of an integer's range becomes, and NaN; here it is
// fixed, on every machine, to what OpenVINO's reference gives on x86:
//
//   i8 u8 i16 u16   the low bits of the number as i32
//   u32             the low bits of the number as i64
//   i32 i64         the least number there is, whichever side it is out of
//   u64             a negative number wraps; from 2^64 on it is 0
//
// with NaN as 0 (where OpenVINO's answer depends on the width). Integers wrap;
// floats round to nearest even and overflow as their format says.
#ifndef DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_CAST_H_
#define DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_CAST_H_

#include <cstdint>
#include <limits>
#include <type_traits>

namespace dovetail {

template <typename To, typename From>
To TruncateToInteger(From value) {
  constexpr bool kNarrow = sizeof(To) < 4 || std::is_same_v<To, int32_t>;
  using Wide = std::conditional_t<kNarrow, int32_t, int64_t>;
  constexpr Wide kLeast = std::numeric_limits<Wide>::min();
  constexpr From kEnd = -static_cast<From>(kLeast);  // 2^31 or 2^63, exactly
  if (value != value) return 0;
  // When "- 1" is lost to rounding, kLeast itself takes the other way out.
  if (value > -kEnd - 1 && value < kEnd) {
    return static_cast<To>(static_cast<Wide>(value));
  }
  if constexpr (std::is_same_v<To, uint64_t>) {
    if (value >= 2 * kEnd) return 0;
    if (value >= kEnd) return static_cast<uint64_t>(value);
  }
  return static_cast<To>(kLeast);
}

// From and To: bool, an integer, float, double or a NarrowFloat.
template <typename To, typename From>
To CastElement(From value) {
  if constexpr (!std::is_arithmetic_v<From>) {
    return CastElement<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != 0;
  } else if constexpr (std::is_integral_v<To> &&
                       std::is_floating_point_v<From>) {
    return TruncateToInteger<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_TENSOR_TYPES_ELEMENT_CAST_H_
