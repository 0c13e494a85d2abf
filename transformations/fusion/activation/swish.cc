#include "dovetail/transformations/fusion/activation/rules.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

// x of exp(-x) + 1; else the empty Value.
Value InSigmoid(Value denominator) {
  const Affine affine = AffineOf(denominator);
  if (affine.scale != 1 || affine.shift != 1) return Value{};
  const Node* exp = InnerNode(affine.of, "Exp");
  return exp != nullptr ? NegatedIn(exp->input(0)) : Value{};
}

// 1 / (1 + exp(-x)) and x / (1 + exp(-x)).
Replacement Quotient(NodeBuilder& b, const Node& node) {
  if (!IsFloatValue(OutputOf(node))) return {};
  const Value x = InSigmoid(node.input(1));
  if (!x) return {};
  if (node.input(0) == x) return {b.Make("Swish", {x})};
  if (ScalarBeside(node.input(0), x) != 1.0) return {};
  return {b.Make("Sigmoid", {x})};
}

// x * sigmoid(beta * x).
Replacement Swish(NodeBuilder& b, const Node& node) {
  for (int i = 0; i < 2; ++i) {
    const Value x = node.input(1 - i);
    const Node* sigmoid = InnerNode(node.input(i), "Sigmoid");
    if (sigmoid == nullptr || !IsFloatValue(x)) continue;
    if (sigmoid->input(0) == x) return {b.Make("Swish", {x})};
    const auto inner = PolynomialOf(sigmoid->input(0), x);
    if (!inner.has_value()) continue;
    const double beta = (*inner)[1];
    if (beta == 0 || *inner != Polynomial{0, beta, 0, 0}) continue;
    return {b.Make("Swish", {x, b.Number(x.type(), beta)})};
  }
  return {};
}

constexpr NodeRule kRules[] = {
    {"Divide", 1, "1 / (1 + exp(-x)) or x / (1 + exp(-x))", &Quotient},
    {"Multiply", 1, "x * sigmoid(beta * x)", &Swish},
};

}  // namespace

absl::Span<const NodeRule> SwishFusions() { return kRules; }

}  // namespace dovetail
