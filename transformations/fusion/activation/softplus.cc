#include "dovetail/transformations/fusion/activation/rules.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

// y of log(1 + exp(y)), where `log` is a Log; else the empty Value.
Value InLogOfExp(const Node& log) {
  if (!IsFloatValue(log.input(0))) return Value{};
  const Affine affine = AffineOf(log.input(0));
  if (affine.scale != 1 || affine.shift != 1) return Value{};
  const Node* exp = InnerNode(affine.of, "Exp");
  return exp != nullptr ? exp->input(0) : Value{};
}

Replacement LogOfExp(NodeBuilder& b, const Node& node) {
  const Value x = InLogOfExp(node);
  if (!x) return {};
  return {b.Make("SoftPlus", {x})};
}

bool IsMinusAbs(Value value, Value x) {
  const Node* abs = NodeOf(NegatedIn(value), "Abs");
  return abs != nullptr && abs->input(0) == x;
}

// relu(x) + log(1 + exp(-abs(x))), of which the second part is a softplus.
Replacement Careful(NodeBuilder& b, const Node& node) {
  for (int i = 0; i < 2; ++i) {
    const Node* relu = InnerNode(node.input(i), "Relu");
    const Node* soft = InnerNode(node.input(1 - i), "SoftPlus");
    if (relu == nullptr || soft == nullptr) continue;
    if (!IsMinusAbs(soft->input(0), relu->input(0))) continue;
    return {b.Make("SoftPlus", {relu->input(0)})};
  }
  return {};
}

Replacement Mish(NodeBuilder& b, const Node& node) {
  for (int i = 0; i < 2; ++i) {
    const Value x = node.input(1 - i);
    const Node* tanh = InnerNode(node.input(i), "Tanh");
    if (tanh == nullptr) continue;
    const Node* soft = InnerNode(tanh->input(0), "SoftPlus");
    if (soft == nullptr || soft->input(0) != x) continue;
    return {b.Make("Mish", {x})};
  }
  return {};
}

constexpr NodeRule kRules[] = {
    {"Log", 0, "log(1 + exp(x))", &LogOfExp},
    {"Add", 1, "relu(x) + log(1 + exp(-abs(x)))", &Careful},
    {"Multiply", 1, "x * tanh(softplus(x))", &Mish},
};

}  // namespace

absl::Span<const NodeRule> SoftPlusFusions() { return kRules; }

}  // namespace dovetail
