// Rows of f32 as bf16, rounded to nearest even by the processor: what is too
// small to be a normal number becomes 0. For processors with instructions for
// bf16 (AVX-512).
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_ROWS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_ROWS_H_

#include <cstdint>

namespace dovetail::cpu {

// `count` numbers, and zeros up to `padded`.
void RoundRow(const float* from, int64_t count, int64_t padded, uint16_t* to);

// For each column a word of both rows, the first one in its lower half, and
// zeros up to `padded` columns, a multiple of 16. A row that is null is zeros.
void InterleaveRows(const float* first, const float* second, int64_t count,
                    int64_t padded, uint32_t* to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_COMMON_BF16_ROWS_H_
