#include "dovetail/bench/blocks/heads.h"

#include <cmath>
#include <string>

#include "dovetail/bench/blocks/layers.h"

namespace dovetail::blocks {
namespace {

Value Einsum(BlockBuilder& b, const std::string& equation, Value x, Value y) {
  return b.Make("Einsum", {x, y}, {{"equation", equation}});
}

double ScaleOf(Value q) {
  return 1 / std::sqrt(static_cast<double>(Extent(q, -1)));
}

Value Probabilities(BlockBuilder& b, Value scores, Value bias) {
  return Softmax(b, bias ? b.Add(scores, bias) : scores);
}

// [batch, steps, 3, heads, 32] of x by one product.
Value JoinedHeads(BlockBuilder& b, Value x) {
  const int64_t channels = Extent(x, -1);
  return b.ReshapeTo(Linear(b, x, channels * 3),
                     {Extent(x, 0), Extent(x, 1), 3, channels / kHeadSize,
                      kHeadSize});
}

}  // namespace

std::vector<Value> HeadsOfOneProduct(BlockBuilder& b, Value x) {
  const Value joined = b.Transpose(JoinedHeads(b, x), {2, 0, 3, 1, 4});
  std::vector<Value> parts;
  for (const int64_t part : {0, 1, 2}) {
    parts.push_back(b.Gather(joined, b.Int(part), 0));
  }
  return parts;
}

Value ToHeads(BlockBuilder& b, Value x, int64_t head_size) {
  const Value split =
      b.ReshapeTo(x, {Extent(x, 0), Extent(x, 1), Extent(x, 2) / head_size,
                      head_size});
  return b.Transpose(split, {0, 2, 1, 3});
}

Value FromHeads(BlockBuilder& b, Value x) {
  return b.ReshapeTo(
      b.Transpose(x, {0, 2, 1, 3}),
      {Extent(x, 0), Extent(x, 2), Extent(x, 1) * Extent(x, 3)});
}

Value MatMulAttention(BlockBuilder& b, Value q, Value k, Value v, Value bias) {
  const Value scaled = b.Multiply(q, ScaleOf(q));
  const Value scores =
      b.MatMul(b.Activations(scaled), b.Activations(k), false, true);
  return b.MatMul(b.Activations(Probabilities(b, scores, bias)),
                  b.Activations(v));
}

Value SelfAttentionByMatMul(BlockBuilder& b, Value x, Value bias) {
  const std::vector<Value> heads = HeadsOfOneProduct(b, x);
  const Value mixed =
      MatMulAttention(b, heads[0], heads[1], heads[2], bias);
  return Linear(b, FromHeads(b, mixed), Extent(x, -1));
}

Value SelfAttentionByEinsum(BlockBuilder& b, Value x, Value bias) {
  const Value joined = JoinedHeads(b, x);
  const std::vector<Value> parts =
      b.MakeEach("Split", {joined, b.Int(2)}, {{"num_splits", int64_t{3}}}, 3);
  const Value q = b.Squeeze(parts[0], {2}), k = b.Squeeze(parts[1], {2}),
              v = b.Squeeze(parts[2], {2});
  const Value scores =
      b.Multiply(Einsum(b, "bqhd,bkhd->bhqk", q, k), ScaleOf(q));
  const Value mixed =
      Einsum(b, "bhqk,bkhd->bqhd", Probabilities(b, scores, bias), v);
  const Value flat =
      b.ReshapeTo(mixed, {Extent(x, 0), Extent(x, 1), Extent(x, 2)});
  return Linear(b, flat, Extent(x, -1));
}

Value FeedForward(BlockBuilder& b, Value x) {
  const int64_t channels = Extent(x, -1);
  const Value wide = Linear(b, LayerNorm(b, x), channels * 4);
  return b.Add(x, Linear(b, b.Make("Gelu", {wide}), channels));
}

}  // namespace dovetail::blocks
