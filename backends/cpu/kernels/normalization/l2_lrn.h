// Normalizations by sums of squares on f32: NormalizeL2 and LRN. Output and
// input may be the same memory where it says so.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_L2_LRN_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_L2_LRN_H_

#include <cstdint>

namespace dovetail::cpu {

struct L2Options {
  float epsilon = 0;
  bool epsilon_is_added = true;  // to the sum; or else it is the least of sums
};

// x / sqrt(sum of squares, with epsilon) over rows [begin, end) of `length`
// numbers. In place if out == in.
void NormalizeL2Rows(const float* in, float* out, int64_t length,
                     const L2Options& options, int64_t begin, int64_t end);

// The same over the middle axis of a dense array {outer, length, inner}: units
// [begin, end) of ColumnUnits(outer, inner), see common/columns.h. In place if
// out == in.
void NormalizeL2Columns(const float* in, float* out, int64_t length,
                        int64_t inner, const L2Options& options, int64_t begin,
                        int64_t end);

// LRN across the channels of a planar array {N, channels, area}:
// x / (bias + alpha / size * sum)^beta, where the sum is that of squares over
// the channels up to (size - 1) / 2 before and behind.
struct LrnOptions {
  float alpha;
  float beta;
  float bias;
  int64_t size;
};

// Units [begin, end) of ColumnUnits(N, area). Not in place.
void LrnAcrossChannels(const float* in, float* out, int64_t channels,
                       int64_t area, const LrnOptions& options, int64_t begin,
                       int64_t end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_L2_LRN_H_
