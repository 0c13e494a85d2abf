// Arithmetic on sizes that come from files and callers: an overflow is an
// answer, not a wrapped number.
#ifndef DOVETAIL_CORE_BASE_CHECKED_MATH_H_
#define DOVETAIL_CORE_BASE_CHECKED_MATH_H_

#include <cstdint>
#include <optional>

namespace dovetail {

// a + b and a * b; nothing when the result does not fit an int64.
inline std::optional<int64_t> CheckedAdd(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}
inline std::optional<int64_t> CheckedMultiply(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

// The smallest integer that is not less than a / b; a >= 0, b > 0.
inline int64_t CeilDivide(int64_t a, int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace dovetail

#endif  // DOVETAIL_CORE_BASE_CHECKED_MATH_H_
