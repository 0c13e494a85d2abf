// What the kernels of attention compute: softmax(scale * Q * K' + mask) * V.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_PROBLEM_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_PROBLEM_H_

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
  float* out = nullptr;            // [queries, width]
  uint16_t* narrow_out = nullptr;  // or bf16: narrow_attention.h alone
  int64_t out_stride = 0;
  AttentionMask mask;
  // Null, or a score for each query that takes part without a value.
  const float* sink = nullptr;
  int64_t sink_stride = 0;
  float scale = 1;
  bool causal = false;  // query i sees keys 0 … i only
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ATTENTION_PROBLEM_H_
