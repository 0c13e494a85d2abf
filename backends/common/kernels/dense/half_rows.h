// Rows of f16 numbers, widened and rounded.
#ifndef DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_HALF_ROWS_H_
#define DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_HALF_ROWS_H_

#include <cstdint>

namespace dovetail::host {

// The bits of f16 numbers as f32.
void WidenHalf(const uint16_t* in, int64_t count, float* out);

// What happens to sums before they are rounded: times scale, plus shift, then
// below 0 times slope, and kept within bounds.
struct HalfEpilogue {
  float scale = 1, shift = 0;
  float slope = 1;
  float low = -__builtin_inff(), high = __builtin_inff();
};

// Rounds to the nearest f16, to even where two are as near; what is beyond the
// greatest becomes an infinity.
void FinishHalf(const float* sums, const HalfEpilogue& epilogue, int64_t count,
                uint16_t* out);

// Sums of two rows, finished.
void AddHalves(const uint16_t* a, const uint16_t* b,
               const HalfEpilogue& epilogue, int64_t count, uint16_t* out);

}  // namespace dovetail::host

#endif  // DOVETAIL_BACKENDS_COMMON_KERNELS_DENSE_HALF_ROWS_H_
