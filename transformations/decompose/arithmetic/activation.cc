#include <cmath>

#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

// log(1 + exp(x)) that does not overflow.
Value SoftPlusOf(NodeBuilder& b, Value x) {
  const Value small = b.Make("Exp", {b.Make("Negative", {b.Make("Abs", {x})})});
  return b.Add(b.Make("Relu", {x}), b.Make("Log", {b.Add(small, 1.0)}));
}

Value HSigmoidOf(NodeBuilder& b, Value x) {
  const Value ramp = b.Minimum(b.Maximum(b.Add(x, 3.0), 0.0), 6.0);
  return b.Divide(ramp, 6.0);
}

// scale * (x > 0 ? x : alpha * (exp(x) - 1)), where exp is not asked for the
// positive x, at which it overflows.
Value ExpBelowZero(NodeBuilder& b, Value x, Operand alpha) {
  const Value curve = b.Subtract(b.Make("Exp", {b.Minimum(x, 0.0)}), 1.0);
  return b.Select(b.Binary("Greater", x, 0.0), x, b.Multiply(curve, alpha));
}

Replacement Elu(NodeBuilder& b, const Node& node) {
  return {ExpBelowZero(b, b.input(0), node.As<EluAttributes>()->alpha)};
}

// The parameters have one element, of any rank.
Value Scalar(NodeBuilder& b, int i) { return b.ReshapeTo(b.input(i), {}); }

Replacement Selu(NodeBuilder& b, const Node&) {
  return {b.Multiply(ExpBelowZero(b, b.input(0), Scalar(b, 1)), Scalar(b, 2))};
}

Value GeluOfErf(NodeBuilder& b, Value x) {
  const Value bell = b.Make("Erf", {b.Multiply(x, M_SQRT1_2)});
  return b.Multiply(b.Multiply(x, 0.5), b.Add(bell, 1.0));
}

Value GeluOfTanh(NodeBuilder& b, Value x) {
  const Value cubic = b.Add(b.Multiply(b.Multiply(x, x), 0.044715), 1.0);
  const Value inner = b.Multiply(b.Multiply(x, M_2_SQRTPI * M_SQRT1_2), cubic);
  return b.Multiply(b.Multiply(x, 0.5),
                    b.Add(b.Make("Tanh", {inner}), 1.0));
}

Replacement Gelu(NodeBuilder& b, const Node& node) {
  const auto* attributes = node.As<GeluAttributes>();
  const bool by_tanh = attributes != nullptr &&
                       attributes->approximation_mode == GeluMode::kTanh;
  return {by_tanh ? GeluOfTanh(b, b.input(0)) : GeluOfErf(b, b.input(0))};
}

Replacement HardSigmoid(NodeBuilder& b, const Node&) {
  const Value line =
      b.Add(b.Multiply(b.input(0), Scalar(b, 1)), Scalar(b, 2));
  return {b.Maximum(b.Minimum(line, 1.0), 0.0)};
}

Replacement HSigmoid(NodeBuilder& b, const Node&) {
  return {HSigmoidOf(b, b.input(0))};
}

Replacement HSwish(NodeBuilder& b, const Node&) {
  return {b.Multiply(b.input(0), HSigmoidOf(b, b.input(0)))};
}

Replacement Mish(NodeBuilder& b, const Node&) {
  const Value soft = SoftPlusOf(b, b.input(0));
  return {b.Multiply(b.input(0), b.Make("Tanh", {soft}))};
}

Replacement SoftPlus(NodeBuilder& b, const Node&) {
  return {SoftPlusOf(b, b.input(0))};
}

Replacement SoftSign(NodeBuilder& b, const Node&) {
  const Value x = b.input(0);
  return {b.Divide(x, b.Add(b.Make("Abs", {x}), 1.0))};
}

Replacement Swish(NodeBuilder& b, const Node&) {
  const Value x = b.input(0);
  const Value inner = b.input(1) ? b.Multiply(x, Scalar(b, 1)) : x;
  return {b.Multiply(x, b.Make("Sigmoid", {inner}))};
}

constexpr NodeRule kRules[] = {
    {"Elu", 0, "x > 0 ? x : alpha * (exp(x) - 1)", &Elu},
    {"Gelu", 0, "x / 2 * (1 + erf(x / sqrt(2)))", &Gelu},
    {"Gelu", 7, "x / 2 * (1 + erf(x / sqrt(2))), or by tanh", &Gelu},
    {"HardSigmoid", 0, "max(min(alpha * x + beta, 1), 0)", &HardSigmoid},
    {"HSigmoid", 5, "min(max(x + 3, 0), 6) / 6", &HSigmoid},
    {"HSwish", 4, "x * min(max(x + 3, 0), 6) / 6", &HSwish},
    {"Mish", 4, "x * tanh(log(1 + exp(x)))", &Mish},
    {"Selu", 0, "lambda * (x > 0 ? x : alpha * (exp(x) - 1))", &Selu},
    {"SoftPlus", 4, "relu(x) + log(1 + exp(-abs(x)))", &SoftPlus},
    {"SoftSign", 9, "x / (1 + abs(x))", &SoftSign},
    {"Swish", 4, "x * sigmoid(beta * x)", &Swish},
};

}  // namespace

absl::Span<const NodeRule> ActivationDecompositions() { return kRules; }

}  // namespace dovetail
