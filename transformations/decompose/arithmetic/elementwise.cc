#include <cmath>
#include <limits>

#include "dovetail/core/ops/activation/activation.h"
#include "dovetail/core/ops/common/broadcast.h"
#include "dovetail/core/ops/elementwise/binary.h"
#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

bool HasInfinity(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBf16 ||
         type == ElementType::kF32 || type == ElementType::kF64;
}

bool IsPdpd(const Node& node) {
  const auto* attributes = node.As<BinaryAttributes>();
  return attributes == nullptr ||
         attributes->auto_broadcast == AutoBroadcast::kPdpd;
}

// ---- Functions of one variable ----

// The bounds are for the numbers of the type; NaN stays.
Replacement Clamp(NodeBuilder& b, const Node& node) {
  const auto& bounds = *node.As<ClampAttributes>();
  if (!IsFloat(b.type()) && !IsInteger(b.type())) return {};
  const bool is_float = IsFloat(b.type());
  const double min = is_float ? bounds.min : std::ceil(bounds.min);
  const double max = is_float ? bounds.max : std::floor(bounds.max);
  return {b.Maximum(b.Minimum(b.input(0), max), min)};
}

// NaN, the first operand, stays.
Replacement Relu(NodeBuilder& b, const Node&) {
  return {b.Maximum(b.input(0), 0.0)};
}

Replacement Sigmoid(NodeBuilder& b, const Node&) {
  if (!IsFloat(b.type())) return {};
  const Value power = b.Make("Exp", {b.Multiply(b.input(0), -1.0)});
  return {b.Divide(1.0, b.Add(power, 1.0))};
}

// 0 - x would lose the sign of 0; integers have none, and wrap.
Replacement Negative(NodeBuilder& b, const Node&) {
  const Value x = b.input(0);
  if (IsInteger(b.type())) return {b.Subtract(0.0, x)};
  return IsFloat(b.type()) ? Replacement{b.Multiply(x, -1.0)} : Replacement();
}

Replacement Ceiling(NodeBuilder& b, const Node&) {
  if (IsInteger(b.type())) return {b.input(0)};
  if (!IsFloat(b.type())) return {};
  const Value turned = b.Multiply(b.input(0), -1.0);
  return {b.Multiply(b.Make("Floor", {turned}), -1.0)};
}

Replacement Tan(NodeBuilder& b, const Node&) {
  if (!IsFloat(b.type())) return {};
  return {b.Divide(b.Make("Sin", {b.input(0)}), b.Make("Cos", {b.input(0)}))};
}

// By half the power, so that nothing overflows before its time.
Replacement Cosh(NodeBuilder& b, const Node&) {
  if (!IsFloat(b.type())) return {};
  const Value half = b.Multiply(b.Make("Abs", {b.input(0)}), 0.5);
  const Value power = b.Make("Exp", {half});
  const Value up = b.Multiply(b.Multiply(power, 0.5), power);
  return {b.Add(up, b.Divide(b.Divide(0.5, power), power))};
}

// What is neither above nor below 0 stays: 0 and NaN.
Replacement Sign(NodeBuilder& b, const Node&) {
  const Value x = b.input(0);
  if (IsInteger(b.type()) && !IsSigned(b.type())) {
    return {b.Minimum(x, 1.0)};
  }
  if (!IsFloat(b.type()) && !IsInteger(b.type())) return {};
  const Value below = b.Select(b.Binary("Less", x, 0.0), -1.0, x);
  return {b.Select(b.Binary("Less", 0.0, x), 1.0, below)};
}

// Away from zero means up for what is above it.
Replacement RoundAway(NodeBuilder& b, const Node& node) {
  if (node.As<RoundAttributes>()->mode != RoundMode::kHalfAwayFromZero ||
      !IsFloat(b.type())) {
    return {};
  }
  const Value x = b.input(0), size = b.Make("Abs", {x});
  const Value down = b.Make("Floor", {size});
  const Value is_half_up =
      b.Binary("LessEqual", 0.5, b.Subtract(size, down));
  const Value rounded = b.Select(is_half_up, b.Add(down, 1.0), down);
  return {b.Select(b.Binary("Less", x, 0.0), b.Multiply(rounded, -1.0),
                   rounded)};
}

Replacement BitwiseNot(NodeBuilder& b, const Node&) {
  const Value x = b.input(0);
  if (b.type() == ElementType::kBoolean) return {b.Make("LogicalNot", {x})};
  if (!IsInteger(b.type()) || BitWidth(b.type()) < 8) return {};
  const bool is_signed = IsSigned(b.type());
  // Saturates: all bits of the type.
  return {b.Subtract(is_signed ? -1.0 : 1e30, x)};
}

// ---- Tests ----

Replacement IsNaN(NodeBuilder& b, const Node&) {
  if (!HasInfinity(b.type())) return {};
  return {b.Binary("NotEqual", b.input(0), b.input(0))};
}

Replacement IsFinite(NodeBuilder& b, const Node&) {
  if (!HasInfinity(b.type())) return {};
  return {b.Binary("Less", b.Make("Abs", {b.input(0)}),
                   std::numeric_limits<double>::infinity())};
}

Replacement IsInf(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<IsInfAttributes>();
  const Value x = b.input(0);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!HasInfinity(b.type())) return {};
  const bool both = attributes.detect_negative && attributes.detect_positive;
  if (both) return {b.Binary("Equal", b.Make("Abs", {x}), kInfinity)};
  if (attributes.detect_negative) return {b.Binary("Equal", x, -kInfinity)};
  if (attributes.detect_positive) return {b.Binary("Equal", x, kInfinity)};
  return {b.Binary("Less", x, x)};  // never
}

// ---- Of two variables ----

Replacement SquaredDifference(NodeBuilder& b, const Node& node) {
  const Value difference = b.MakeLike("Subtract", node.inputs());
  return {b.Multiply(difference, difference)};
}

// Has the sign of the divisor, where Mod has that of the dividend.
Replacement FloorMod(NodeBuilder& b, const Node& node) {
  const Value divisor = b.input(1);
  if (IsPdpd(node)) return {};
  const Value rest = b.MakeLike("Mod", node.inputs());
  if (!IsFloat(b.type()) && !IsSigned(b.type())) return {rest};
  const Value signs_differ =
      b.Binary("NotEqual", b.Binary("Less", rest, 0.0),
               b.Binary("Less", divisor, 0.0));
  const Value is_rest = b.Binary("NotEqual", rest, 0.0);
  return {b.Select(b.Make("LogicalAnd", {is_rest, signs_differ}),
                   b.Add(rest, divisor), rest)};
}

// Of integers, what division towards zero leaves.
Replacement Mod(NodeBuilder& b, const Node& node) {
  if (!IsInteger(b.type()) || IsPdpd(node)) return {};
  const Value quotient =
      b.MakeLike("Divide", node.inputs(), {{"m_pythondiv", false}});
  return {b.Subtract(b.input(0), b.Multiply(quotient, b.input(1)))};
}

Replacement Greater(NodeBuilder& b, const Node& node) {
  if (IsPdpd(node)) return {};
  return {b.MakeLike("Less", {b.input(1), b.input(0)})};
}

Replacement GreaterEqual(NodeBuilder& b, const Node& node) {
  if (IsPdpd(node)) return {};
  return {b.MakeLike("LessEqual", {b.input(1), b.input(0)})};
}

Replacement NotEqual(NodeBuilder& b, const Node& node) {
  return {b.Make("LogicalNot", {b.MakeLike("Equal", node.inputs())})};
}

Replacement LogicalXor(NodeBuilder& b, const Node& node) {
  return {b.MakeLike("NotEqual", node.inputs())};
}

Replacement PRelu(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0);
  const PartialShape& given = node.input(1).shape();
  if (!x.shape().rank_known() || !given.rank_known()) return {};
  const PartialShape aligned = AlignSlope(given, x.shape());
  Value slope = b.Convert(node.input(1), x.type());
  if (aligned.rank() != given.rank()) {
    // Which axis it lies along is certain only where both extents are known.
    if (aligned.is_dynamic() || x.shape()[1].is_dynamic()) return {};
    slope = b.ReshapeTo(slope, aligned.MinDims());
  } else if (given.rank() == 1 && x.shape().rank() > 1 &&
             (given.is_dynamic() || x.shape()[1].is_dynamic())) {
    return {};
  }
  return {b.Select(b.Binary("Less", x, 0.0), b.Multiply(x, slope), x)};
}

// ---- Types ----

Replacement ConvertLike(NodeBuilder& b, const Node& node) {
  const ElementType type = node.input(1).type();
  if (type == ElementType::kDynamic) return {};
  return {b.Convert(b.input(0), type)};
}

Replacement ConvertPromoteTypes(NodeBuilder& b, const Node& node) {
  const ElementType type = node.port(0).type;
  if (type == ElementType::kDynamic) return {};
  return {b.Convert(b.input(0), type), b.Convert(b.input(1), type)};
}

Replacement Identity(NodeBuilder& b, const Node&) { return {b.input(0)}; }

constexpr NodeRule kRules[] = {
    {"BitwiseNot", 13, "all bits - x, or not x", &BitwiseNot},
    {"Ceiling", 0, "-floor(-x), of integers x", &Ceiling},
    {"Clamp", 0, "max(min(x, max), min)", &Clamp},
    {"ConvertLike", 1, "Convert", &ConvertLike},
    {"Cosh", 0, "exp(abs(x)) / 2 + exp(-abs(x)) / 2", &Cosh},
    {"ConvertPromoteTypes", 14, "two Converts", &ConvertPromoteTypes},
    {"FloorMod", 1, "Mod, plus the divisor where signs differ", &FloorMod},
    {"Greater", 1, "b < a", &Greater},
    {"GreaterEqual", 1, "b <= a", &GreaterEqual},
    {"Identity", 16, "x", &Identity},
    {"IsFinite", 10, "abs(x) < infinity", &IsFinite},
    {"IsInf", 10, "abs(x) = infinity", &IsInf},
    {"IsNaN", 10, "x != x", &IsNaN},
    {"LogicalXor", 1, "a != b", &LogicalXor},
    {"Mod", 1, "a - a / b * b, of integers", &Mod},
    {"Negative", 0, "x * -1, of integers 0 - x", &Negative},
    {"NotEqual", 1, "not (a = b)", &NotEqual},
    {"PRelu", 0, "x < 0 ? x * slope : x", &PRelu},
    {"Relu", 0, "max(x, 0)", &Relu},
    {"Round", 5, "floor(abs(x)), plus 1 from a half on, with x's sign",
     &RoundAway},
    {"Sigmoid", 0, "1 / (1 + exp(-x))", &Sigmoid},
    {"Sign", 0, "0 < x ? 1 : x < 0 ? -1 : x", &Sign},
    {"SquaredDifference", 0, "(a - b) * (a - b)", &SquaredDifference},
    {"Tan", 0, "sin(x) / cos(x)", &Tan},
    {"Xor", 0, "a != b", &LogicalXor},
};

}  // namespace

absl::Span<const NodeRule> ElementwiseDecompositions() { return kRules; }

}  // namespace dovetail
