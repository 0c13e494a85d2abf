#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/transformations/fusion/activation/rules.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

// What min(max(x, min), max) bounds, when nobody else reads it.
Value InClamp(Value value, double min, double max) {
  const Node* clamp = InnerNode(value, "Clamp");
  const auto* bounds =
      clamp == nullptr ? nullptr : clamp->As<ClampAttributes>();
  return bounds != nullptr && bounds->min == min && bounds->max == max
             ? clamp->input(0)
             : Value{};
}

// x of x + 3, when the type is one of floats.
Value LessThree(Value value) {
  const Node* sum = NodeOf(value, "Add");
  if (sum == nullptr || !IsFloatValue(value)) return Value{};
  const auto operand = OperandAndScalar(*sum);
  return operand.has_value() && operand->number == 3 ? operand->x : Value{};
}

// relu6(x + 3) / 6.
Replacement SixthOfRamp(NodeBuilder& b, const Node& node) {
  const Product product = ProductOf(node);
  if (product.values.size() != 1 || !IsNearly(product.number, 1.0 / 6)) {
    return {};
  }
  const Value x = LessThree(InClamp(product.values[0], 0, 6));
  if (!x) return {};
  return {b.Make("HSigmoid", {x})};
}

// min(max(x / 6 + 1 / 2, 0), 1).
Replacement RampToOne(NodeBuilder& b, const Node& node) {
  const auto* bounds = node.As<ClampAttributes>();
  if (bounds == nullptr || bounds->min != 0 || bounds->max != 1) return {};
  const Affine affine = AffineOf(node.input(0));
  if (!IsFloatValue(affine.of) || !IsNearly(affine.scale, 1.0 / 6) ||
      !IsNearly(affine.shift, 0.5)) {
    return {};
  }
  return {b.Make("HSigmoid", {affine.of})};
}

Replacement OfHardSigmoid(NodeBuilder& b, const Node& node) {
  const Value x = node.input(0);
  const auto alpha = ScalarBeside(node.input(1), x);
  const auto beta = ScalarBeside(node.input(2), x);
  if (!IsFloatValue(x) || !alpha.has_value() || !beta.has_value() ||
      !IsNearly(*alpha, 1.0 / 6) || !IsNearly(*beta, 0.5)) {
    return {};
  }
  return {b.Make("HSigmoid", {x})};
}

// x * relu6(x + 3) / 6 in any order, and x * hsigmoid(x).
Replacement HSwish(NodeBuilder& b, const Node& node) {
  const Product product = ProductOf(node);
  if (product.values.size() != 2) return {};
  for (int i = 0; i < 2; ++i) {
    const Value x = product.values[i], gate = product.values[1 - i];
    if (!IsFloatValue(x)) return {};
    const Node* hard = InnerNode(gate, "HSigmoid");
    const bool by_sigmoid =
        hard != nullptr && hard->input(0) == x && product.number == 1;
    const bool by_ramp = LessThree(InClamp(gate, 0, 6)) == x &&
                         IsNearly(product.number, 1.0 / 6);
    if (by_sigmoid || by_ramp) return {b.Make("HSwish", {x})};
  }
  return {};
}

constexpr NodeRule kRules[] = {
    {"Multiply", 1, "relu6(x + 3) * (1 / 6)", &SixthOfRamp},
    {"Divide", 1, "relu6(x + 3) / 6", &SixthOfRamp},
    {"Clamp", 0, "clamp(x / 6 + 1 / 2, 0, 1)", &RampToOne},
    {"HardSigmoid", 0, "hard_sigmoid(x, 1 / 6, 1 / 2)", &OfHardSigmoid},
    {"Multiply", 1, "x * relu6(x + 3) * (1 / 6)", &HSwish},
    {"Divide", 1, "x * relu6(x + 3) / 6", &HSwish},
};

}  // namespace

absl::Span<const NodeRule> HardActivationFusions() { return kRules; }

}  // namespace dovetail
