// The scale with which a row of floats is rounded to integers.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_ROW_SCALE_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_ROW_SCALE_H_

#include <limits>

namespace dovetail::cpu {

struct RowScale {
  float scale;    // of an integer; NaN where an element is not finite
  float inverse;  // what elements are multiplied by; 0 where all become 0
};

// For elements of magnitudes up to `greatest`, perhaps infinite or NaN, and
// integers up to `limit`.
inline RowScale RowScaleOf(float greatest, float limit) {
  // Not where dividing by it gives no normal number.
  const bool is_zero = greatest < std::numeric_limits<float>::min() * limit;
  const bool is_finite = greatest <= std::numeric_limits<float>::max();
  if (is_zero) return {0.0f, 0.0f};
  if (!is_finite) return {std::numeric_limits<float>::quiet_NaN(), 0.0f};
  return {greatest / limit, limit / greatest};
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_RECURRENT_ROW_SCALE_H_
