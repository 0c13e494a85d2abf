// Attention of several heads, of 32 channels each.
#ifndef DOVETAIL_BENCH_BLOCKS_HEADS_H_
#define DOVETAIL_BENCH_BLOCKS_HEADS_H_

#include <vector>

#include "dovetail/bench/blocks/block_builder.h"

namespace dovetail::blocks {

inline constexpr int64_t kHeadSize = 32;

// Queries, keys and values of [batch, heads, steps, 32] of x, [batch, steps,
// channels], by one product.
std::vector<Value> HeadsOfOneProduct(BlockBuilder& b, Value x);
// Of one of them, as products of their own give it: [batch, steps, channels] as
// [batch, heads, steps, 32], and back.
Value ToHeads(BlockBuilder& b, Value x, int64_t head_size = kHeadSize);
Value FromHeads(BlockBuilder& b, Value x);

// Softmax of scaled scores, and a bias for them unless it is empty.
Value MatMulAttention(BlockBuilder& b, Value q, Value k, Value v, Value bias);

// Of x with a product before and one after it, by MatMul or by Einsum, which
// takes heads from where the product leaves them.
Value SelfAttentionByMatMul(BlockBuilder& b, Value x, Value bias);
Value SelfAttentionByEinsum(BlockBuilder& b, Value x, Value bias);

// x behind a layer norm, four times as wide channels, Gelu; added to x.
Value FeedForward(BlockBuilder& b, Value x);

}  // namespace dovetail::blocks

#endif  // DOVETAIL_BENCH_BLOCKS_HEADS_H_
