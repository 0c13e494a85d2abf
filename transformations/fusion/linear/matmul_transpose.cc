#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/transformations/fusion/common/axes.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

// What a Transpose of the last two axes gets; else the empty Value.
Value Untransposed(Value value) {
  if (!value.node->Is("Transpose")) return Value{};
  const auto order = OrderOf(*value.node);
  if (!order.has_value() || order->size() < 2) return Value{};
  const int rank = static_cast<int>(order->size());
  return *order == LastTwoSwapped(rank) ? value.node->input(0) : Value{};
}

Replacement TakeTransposes(NodeBuilder& b, const Node& node) {
  const auto* attributes = node.As<MatMulAttributes>();
  if (attributes == nullptr) return {};
  const Value left = Untransposed(node.input(0));
  const Value right = Untransposed(node.input(1));
  if (!left && !right) return {};
  return {b.MatMul(left ? left : node.input(0), right ? right : node.input(1),
                   attributes->transpose_a != bool(left),
                   attributes->transpose_b != bool(right))};
}

constexpr NodeRule kRules[] = {
    {"MatMul", 0, "a product that transposes itself", &TakeTransposes},
};

}  // namespace

absl::Span<const NodeRule> MatMulTransposeFusions() { return kRules; }

}  // namespace dovetail
