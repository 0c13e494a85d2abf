// A ScaledDotProductAttention as matrices in memory.
#ifndef DOVETAIL_BACKENDS_COMMON_LINEAR_ATTENTION_LAYOUT_H_
#define DOVETAIL_BACKENDS_COMMON_LINEAR_ATTENTION_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/backends/common/compiler/plan_builder_base.h"

namespace dovetail {

// Matrices in a dense planar tensor; distances in elements.
struct AttentionMatrices {
  Value value;
  std::vector<int64_t> offsets;  // where each product's matrix begins
  int64_t row_stride = 0, column_stride = 1;
};

struct AttentionLayout {
  int64_t queries = 0, keys = 0;
  int64_t depth = 0;  // elements of a query and of a key
  int64_t width = 0;  // elements of a value
  AttentionMatrices q, k, v;
  // Where there are such inputs; strides of 0 are broadcasts.
  std::optional<AttentionMatrices> mask, sink;
  AttentionMatrices out;
  bool causal = false;
  // Computes what `out` has, besides the attention; null: nothing does.
  const Node* transpose = nullptr;

  int64_t products() const { return static_cast<int64_t>(q.offsets.size()); }
};

// Whether it is a ScaledDotProductAttention of f32 with static shapes that have
// elements.
bool IsF32Attention(const Node& node);

// Of such a node. Query, key and value are read through views before it, and
// the result is written through a transposition behind it.
AttentionLayout AttentionLayoutOf(const Node& node,
                                  const PlanBuilderBase& builder);

// Whether a Transpose, Reshape, Gather or Split has only readers, in the end,
// that are attentions for which IsF32Attention and read through it: nothing has
// to run for it.
bool IsReadByAttention(const Node& node, const PlanBuilderBase& builder);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_LINEAR_ATTENTION_LAYOUT_H_
