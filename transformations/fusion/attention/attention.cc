#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/core/ops/linear/scaled_dot_product_attention.h"
#include "dovetail/core/ops/normalization/softmax.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/attention/rules.h"
#include "dovetail/transformations/fusion/common/axes.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

// What gives scores * scale + masks.
struct Scores {
  Value query, key;  // key [..., S, E]
  double scale = 1;
  std::vector<Value> masks;
};

const MatMulAttributes* MatMulOf(const Node* node) {
  return node != nullptr && node->Is("MatMul") ? node->As<MatMulAttributes>()
                                               : nullptr;
}

// Takes numbers that a value is multiplied with into `scale`; nobody else may
// read the products.
Value WithoutScale(Value value, double& scale) {
  for (const Node* product; (product = InnerNode(value, "Multiply"));) {
    const auto scaled = OperandAndScalar(*product);
    if (!scaled.has_value()) break;
    scale *= scaled->number;
    value = scaled->x;
  }
  return value;
}

// The rows of a transposed matrix: what a Transpose of the last two axes gets,
// or another Transpose in place of one. Empty where there is none.
Value Transposed(NodeBuilder& b, Value value) {
  const Node* transpose = NodeOf(value, "Transpose");
  const auto order = transpose == nullptr ? std::nullopt : OrderOf(*transpose);
  if (!order.has_value() || order->size() < 2) return Value{};
  const int rank = static_cast<int>(order->size());
  const AxisOrder both = Composed(*order, LastTwoSwapped(rank));
  const Value source = transpose->input(0);
  return IsInOrder(both) ? source : b.Transpose(source, both);
}

// Whether adding `mask` to scores of that shape cannot change the shape. The
// softmax is multiplied with as many rows as there are scores in one of its
// rows, so that no mask can make these more.
bool IsMask(Value mask, const PartialShape& scores) {
  const PartialShape& shape = mask.shape();
  if (!shape.rank_known() || shape.rank() > scores.rank()) return false;
  if (shape.rank() < 2) return shape.rank() == 0;
  for (int i = 2; i <= shape.rank(); ++i) {
    const Dimension& extent = shape[shape.rank() - i];
    const Dimension& whole = scores[scores.rank() - i];
    const bool is_same = extent.is_static() && extent == whole;
    if (extent != Dimension(1) && !is_same) return false;
  }
  return true;
}

// Whether a value has one number for each matrix of `matrices`, or for several.
bool IsOfMatrices(Value value, const PartialShape& matrices) {
  const PartialShape& shape = value.shape();
  return matrices.rank_known() && IsMask(value, matrices) &&
         shape.rank() >= 2 && shape[shape.rank() - 1] == Dimension(1) &&
         shape[shape.rank() - 2] == Dimension(1);
}

// Takes factors of whole matrices, such as one of each head (Swin v2), into
// `factors`, and numbers into `scale`.
Value WithoutFactors(Value value, double& scale, std::vector<Value>& factors) {
  for (;;) {
    value = WithoutScale(value, scale);
    const Node* product = InnerNode(value, "Multiply");
    if (product == nullptr || !BroadcastsAsNumpy(*product)) return value;
    const int scores = IsOfMatrices(product->input(0), value.shape()) ? 1 : 0;
    const Value factor = product->input(1 - scores);
    const Value rest = product->input(scores);
    if (!IsOfMatrices(factor, value.shape()) || rest.shape() != value.shape()) {
      return value;
    }
    factors.push_back(factor);
    value = rest;
  }
}

// Whether a matrix multiplication is what masks have been added to.
bool IsOfMatMul(Value value, int depth) {
  constexpr int kMaxDepth = 4;
  if (!IsReadOnce(value) || depth > kMaxDepth) return false;
  const Node& node = *value.node;
  if (node.Is("MatMul")) return true;
  if (!node.Is("Add") && !node.Is("Multiply")) return false;
  return IsOfMatMul(node.input(0), depth + 1) ||
         IsOfMatMul(node.input(1), depth + 1);
}

// Takes what is added to scores into `masks`.
Value WithoutMasks(Value value, std::vector<Value>& masks) {
  const PartialShape& shape = value.shape();
  for (const Node* sum; (sum = InnerNode(value, "Add"));) {
    const int scores = IsOfMatMul(sum->input(0), 0) ? 0 : 1;
    const Value rest = sum->input(scores), mask = sum->input(1 - scores);
    if (!BroadcastsAsNumpy(*sum) || !shape.rank_known() ||
        rest.shape() != shape || !IsMask(mask, shape)) {
      break;
    }
    masks.push_back(mask);
    value = rest;
  }
  return value;
}

std::optional<Scores> ScoresOf(NodeBuilder& b, Value value) {
  Scores scores;
  value = WithoutMasks(value, scores.masks);
  std::vector<Value> factors;
  value = WithoutFactors(value, scores.scale, factors);
  const Node* product = InnerNode(value, "MatMul");
  const MatMulAttributes* attributes = MatMulOf(product);
  if (attributes == nullptr || attributes->transpose_a) return std::nullopt;
  scores.query = WithoutScale(product->input(0), scores.scale);
  scores.key = WithoutScale(product->input(1), scores.scale);
  if (!attributes->transpose_b) scores.key = Transposed(b, scores.key);
  if (!scores.key) return std::nullopt;
  scores.key = WithoutScale(scores.key, scores.scale);
  // Queries are fewer than scores.
  for (const Value& factor : factors) {
    if (!IsOfMatrices(factor, scores.query.shape())) return std::nullopt;
    scores.query = b.Multiply(scores.query, factor);
  }
  return scores;
}

// Whether it is a softmax along the last axis.
bool IsAlongLast(const Node& softmax) {
  const auto* attributes = softmax.As<SoftmaxAttributes>();
  const PartialShape& shape = softmax.port().shape;
  return attributes != nullptr && shape.rank_known() &&
         (attributes->axis == -1 || attributes->axis == shape.rank() - 1);
}

bool HaveSameRank(Value a, Value b, Value c) {
  return a.shape().rank_known() && b.shape().rank_known() &&
         c.shape().rank_known() && a.shape().rank() >= 3 &&
         a.shape().rank() == b.shape().rank() &&
         a.shape().rank() == c.shape().rank();
}

// 1 / sqrt(E), which needs no input.
bool HasUsualScale(const Scores& scores) {
  const auto usual = DefaultAttentionScale(scores.query.shape());
  return usual.has_value() && IsNearly(scores.scale, *usual);
}

// All masks as one; without any, one that does nothing, as a scale comes only
// behind a mask.
Value SumOf(NodeBuilder& b, const std::vector<Value>& masks, ElementType type) {
  if (masks.empty()) return b.Number(type, 0);
  Value sum = masks[0];
  for (size_t i = 1; i < masks.size(); ++i) {
    const Value folded = Folded(b, "Add", {sum, masks[i]});
    sum = folded ? folded : b.Add(sum, masks[i]);
  }
  return sum;
}

// softmax(q * k * scale + mask) * v
Replacement Attention(NodeBuilder& b, const Node& node) {
  const MatMulAttributes* attributes = MatMulOf(&node);
  const Node* softmax = InnerNode(node.input(0), "Softmax");
  if (attributes == nullptr || softmax == nullptr || attributes->transpose_a ||
      !IsFloatValue(node.input(0)) || !IsAlongLast(*softmax)) {
    return {};
  }
  const Value value =
      attributes->transpose_b ? Transposed(b, node.input(1)) : node.input(1);
  const std::optional<Scores> scores = ScoresOf(b, softmax->input(0));
  if (!value || !scores.has_value() ||
      !HaveSameRank(scores->query, scores->key, value)) {
    return {};
  }
  std::vector<Value> inputs = {scores->query, scores->key, value};
  if (!scores->masks.empty() || !HasUsualScale(*scores)) {
    const ElementType type = node.port().type;
    inputs.push_back(SumOf(b, scores->masks, type));
    inputs.push_back(b.Number(type, scores->scale));
  }
  return {b.Make("ScaledDotProductAttention", inputs, {{"causal", false}})};
}

constexpr NodeRule kRules[] = {
    {"MatMul", 0, "softmax(q * k * scale + mask) * v", &Attention},
};

}  // namespace

absl::Span<const NodeRule> AttentionFusions() { return kRules; }

}  // namespace dovetail
