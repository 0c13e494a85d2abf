#include "dovetail/backends/cpu/kernels/recurrent/weight_codes.h"

#include <algorithm>
#include <cmath>

namespace dovetail::cpu {
namespace {

// Few enough that a scale that does not fit is found out early, and enough for
// a loop of vectors.
constexpr int64_t kAtATime = 64;
// How far from an integer a code may be: some roundings of f32 of 128.
constexpr float kTolerance = 4e-5f;
// Adding this, and taking it away, rounds to an integer.
constexpr float kRounding = 12582912.0f;

float Greatest(const float* numbers, int64_t count) {
  float greatest = 0;
  for (int64_t i = 0; i < count; ++i) {
    greatest = std::max(greatest, std::abs(numbers[i]));
  }
  return greatest;
}

// NaN is none.
bool AreCodes(const float* numbers, int64_t count, float inverse) {
  int others = 0;
  for (int64_t i = 0; i < count; ++i) {
    const float code = numbers[i] * inverse;
    const float rounded = (code + kRounding) - kRounding;
    const bool is_code = std::abs(code - rounded) <= kTolerance;
    const bool is_in_range = rounded <= 127.0f;
    others += static_cast<int>(!is_code) + static_cast<int>(!is_in_range);
  }
  return others == 0;
}

bool AllAreCodes(const float* numbers, int64_t count, float inverse) {
  for (int64_t i = 0; i < count; i += kAtATime) {
    if (!AreCodes(numbers + i, std::min(kAtATime, count - i), inverse)) {
      return false;
    }
  }
  return true;
}

}  // namespace

float ScaleOfCodes(const float* numbers, int64_t count) {
  const float greatest = Greatest(numbers, count);
  if (!std::isfinite(greatest)) return 0;
  // Whose inverse would not be a normal number either.
  constexpr float kLeast = 1e-30f;
  if (greatest < kLeast) {
    return std::all_of(numbers, numbers + count,
                       [](float x) { return x == 0; })
               ? 1.0f
               : 0.0f;
  }
  // 128 is none, but -128 is, and scales may be negative.
  if (AllAreCodes(numbers, count, -128 / greatest)) return -greatest / 128;
  for (int code = 128; code > 0; --code) {
    if (AllAreCodes(numbers, count, static_cast<float>(code) / greatest)) {
      return greatest / static_cast<float>(code);
    }
  }
  return 0;
}

bool RowsHaveCodes(const float* matrix, int64_t rows, int64_t columns) {
  for (int64_t row = 0; row < rows; ++row) {
    if (ScaleOfCodes(matrix + row * columns, columns) == 0) return false;
  }
  return true;
}

}  // namespace dovetail::cpu
