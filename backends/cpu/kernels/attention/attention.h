// Softmax(scale * Q * K' + mask) * V, some queries at a time.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_H_

#include <cstdint>

#include "dovetail/backends/cpu/kernels/attention/problem.h"

namespace dovetail::cpu {

// How many of the queries are best computed by one call, so that their scores
// stay in the cache.
int64_t AttentionRowsAtATime(int64_t queries, int64_t keys);

// Whether RunAttention takes keys and values as they are: worth it for few
// queries, since packing them would take as long as the rest.
bool AttentionReadsInPlace(int64_t queries, int64_t width);

// Elements of packed keys and values of one problem, and packing of them, which
// has to be done before RunAttention where it does not read in place.
int64_t PackedAttentionElements(const AttentionProblem& problem);
void PackAttention(const AttentionProblem& problem, float* packed);

// Floats of memory for a call with that many queries.
int64_t AttentionScratchElements(int64_t rows, int64_t keys);

// Queries [row_begin, row_end), at most as AttentionRowsAtATime says. `packed`
// is null where it reads in place. All of their scores are kept, so the sums
// do not depend on how queries are divided. Takes up to 140 KiB of stack.
void RunAttention(const AttentionProblem& problem, const float* packed,
                  int64_t row_begin, int64_t row_end, float* scratch);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_H_
