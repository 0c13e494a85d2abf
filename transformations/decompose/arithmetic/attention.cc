#include <cstdint>
#include <limits>

#include "dovetail/core/ops/linear/scaled_dot_product_attention.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

Value ScaleOf(NodeBuilder& b, const Node& node) {
  const Value query = node.input(0);
  if (node.input_count() > 4) return b.ReshapeTo(node.input(4), {});
  if (const auto scale = DefaultAttentionScale(query.shape())) {
    return b.Number(query.type(), *scale);
  }
  const Value extent = b.ReshapeTo(b.Dim(query, -1), {});
  return b.Power(b.Convert(extent, query.type()), -0.5);
}

// 0, 1, … for each element of an axis.
Value Numbers(NodeBuilder& b, Value x, int axis) {
  return b.Make("Range",
                {b.Int(0), b.ReshapeTo(b.Dim(x, axis), {}), b.Int(1)},
                {{"output_type", ElementType::kI64}});
}

// Row i sees columns 0 … i.
Value Causal(NodeBuilder& b, Value scores) {
  const Value rows = b.Unsqueeze(Numbers(b, scores, -2), {1});
  const Value columns = b.Unsqueeze(Numbers(b, scores, -1), {0});
  return b.Select(b.Binary("LessEqual", columns, rows), scores, kNever);
}

Value Masked(NodeBuilder& b, Value scores, Value mask) {
  return mask.type() == ElementType::kBoolean ? b.Select(mask, scores, kNever)
                                              : b.Add(scores, mask);
}

Value Softmax(NodeBuilder& b, Value x) {
  return b.Make("Softmax", {x}, {{"axis", -1}});
}

// A sink is one more column, that nothing comes of.
Value SoftmaxWithSink(NodeBuilder& b, Value scores, Value sink) {
  const Value column =
      b.Broadcast(sink, b.Concat({b.Dims(scores, 0, -1), b.Ints({1})}));
  return b.Slice(Softmax(b, b.Concat({column, scores}, -1)),
                 scores.shape().rank() - 1, 1, NodeBuilder::kEnd);
}

Replacement Attention(NodeBuilder& b, const Node& node) {
  const Value query = node.input(0), key = node.input(1),
              value = node.input(2);
  if (!query.shape().rank_known() || !key.shape().rank_known() ||
      !value.shape().rank_known()) {
    return {};
  }
  Value scores = b.Multiply(b.MatMul(query, key, false, /*transpose_b=*/true),
                            ScaleOf(b, node));
  if (node.As<ScaledDotProductAttentionAttributes>()->causal) {
    scores = Causal(b, scores);
  } else if (node.input_count() > 3) {
    scores = Masked(b, scores, node.input(3));
  }
  if (!scores || !scores.shape().rank_known()) return {};
  const bool has_sink = node.input_count() > 5;
  if (has_sink && scores.shape().rank() != value.shape().rank()) return {};
  const Value weights =
      has_sink ? SoftmaxWithSink(b, scores, node.input(5)) : Softmax(b, scores);
  return {b.MatMul(weights, value)};
}

constexpr NodeRule kRules[] = {
    {"ScaledDotProductAttention", 13, "softmax(q * k * scale + mask) * v",
     &Attention},
};

}  // namespace

absl::Span<const NodeRule> AttentionDecompositions() { return kRules; }

}  // namespace dovetail
