// Softmax and its logarithm on f32. Output and input may be the same memory.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_SOFTMAX_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_SOFTMAX_H_

#include <cstdint>

namespace dovetail::cpu {

enum class SoftmaxKind { kSoftmax, kLogSoftmax };

// Over the last axis: rows [begin, end) of `length` > 0 numbers, one behind the
// other from `in` on. Any range may run on a thread of its own. A row with a
// NaN, or of nothing but -infinity, becomes NaN.
void SoftmaxRows(SoftmaxKind kind, const float* in, float* out, int64_t length,
                 int64_t begin, int64_t end);

// Over the middle axis of a dense array {outer, length, inner}.
int64_t SoftmaxColumnUnits(int64_t outer, int64_t inner);

// Runs units [begin, end) of SoftmaxColumnUnits(). Slow for an `inner` of 2 to
// 8; one of 1 is SoftmaxRows.
void SoftmaxColumns(SoftmaxKind kind, const float* in, float* out,
                    int64_t length, int64_t inner, int64_t begin, int64_t end);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_NORMALIZATION_SOFTMAX_H_
