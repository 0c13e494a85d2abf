// Softmax(scale * Q * K' + mask) * V, some queries at a time.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_ATTENTION_H_

#include <cstdint>

namespace dovetail::cpu {

// Vectors of f32, each contiguous.
struct VectorRows {
  const float* data = nullptr;
  int64_t stride = 0;  // elements from one vector to the next
};

// What is added to scores, or which of them count.
struct AttentionMask {
  const float* numbers = nullptr;  // added
  const uint8_t* flags = nullptr;  // or: 0 for those that do not count
  int64_t row_stride = 0, column_stride = 0;
};

// One matrix of queries with its keys and values.
struct AttentionProblem {
  int64_t queries = 0, keys = 0;
  int64_t depth = 0;  // elements of a query and of a key
  int64_t width = 0;  // elements of a value
  VectorRows q, k, v;
  float* out = nullptr;  // [queries, width]
  int64_t out_stride = 0;
  AttentionMask mask;
  // Null, or a score for each query that takes part without a value.
  const float* sink = nullptr;
  int64_t sink_stride = 0;
  float scale = 1;
  bool causal = false;  // query i sees keys 0 … i only
};

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
