// Attention whose factors are rounded to bf16: queries, keys, values and the
// numerators of the softmax. Sums, scores and the softmax are f32.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_NARROW_NARROW_ATTENTION_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_NARROW_NARROW_ATTENTION_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/attention/problem.h"

namespace dovetail::cpu {

// Whether this processor multiplies bf16, and keys of `depth` elements are no
// longer than what packing has room for.
bool HasNarrowAttention(int64_t depth);

// As the functions of attention.h of like names; floats in all counts. Packing
// takes up to 32 KiB of stack.
int64_t NarrowAttentionRowsAtATime(int64_t queries, int64_t keys);
int64_t PackedNarrowAttentionElements(const AttentionProblem& problem);
void PackNarrowAttention(const AttentionProblem& problem, float* packed);
int64_t NarrowAttentionScratchElements(const AttentionProblem& problem,
                                       int64_t rows);
void RunNarrowAttention(const AttentionProblem& problem, const float* packed,
                        int64_t row_begin, int64_t row_end, float* scratch);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_NARROW_NARROW_ATTENTION_H_
