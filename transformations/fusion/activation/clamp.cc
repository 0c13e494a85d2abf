#include <algorithm>
#include <limits>
#include <optional>

#include "dovetail/core/ops/elementwise/unary.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/activation/rules.h"
#include "dovetail/transformations/fusion/common/matching.h"

namespace dovetail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// min(max(of, least), most)
struct Bounds {
  Value of;
  double least = -kInfinity;
  double most = kInfinity;
};

// What one node bounds.
std::optional<Bounds> BoundsOf(const Node& node) {
  if (node.Is("Relu")) return Bounds{node.input(0), 0};
  if (const auto* clamp = node.As<ClampAttributes>()) {
    return Bounds{node.input(0), clamp->min, clamp->max};
  }
  const bool is_maximum = node.Is("Maximum");
  if (!is_maximum && !node.Is("Minimum")) return std::nullopt;
  const auto operand = OperandAndScalar(node);
  if (!operand.has_value()) return std::nullopt;
  const double number = operand->number;
  return is_maximum ? Bounds{operand->x, number}
                    : Bounds{operand->x, -kInfinity, number};
}

// What a bound and one more before it do together, when nobody reads what is
// between them.
Bounds Joined(const Bounds& last) {
  if (!IsReadOnce(last.of)) return last;
  const std::optional<Bounds> first = BoundsOf(*last.of.node);
  if (!first.has_value()) return last;
  const auto cut = [&](double x) {
    return std::min(std::max(x, last.least), last.most);
  };
  return {first->of, cut(first->least), cut(first->most)};
}

// Relu where it is one, else Clamp; a bound on one side alone stays.
Replacement Ramp(NodeBuilder& b, const Node& node) {
  const std::optional<Bounds> last = BoundsOf(node);
  if (!last.has_value() || !(last->least <= last->most)) return {};
  if (!IsFloatValue(last->of)) return {};
  const Bounds all = Joined(*last);
  if (all.least == 0 && all.most == kInfinity) {
    if (node.Is("Relu") && all.of == node.input(0)) return {};
    return {b.Make("Relu", {all.of})};
  }
  const bool is_same = node.Is("Clamp") && all.of == node.input(0);
  if (is_same || all.least == -kInfinity || all.most == kInfinity) return {};
  return {b.Make("Clamp", {all.of}, {{"min", all.least}, {"max", all.most}})};
}

Value PReluOf(NodeBuilder& b, Value x, double slope) {
  const auto slopes = Tensor::FromDoubles(x.type(), {1}, {slope});
  return slopes.ok() ? b.Make("PRelu", {x, b.Constant(*slopes)}) : Value{};
}

// max(x, slope * x) with a slope from 0 to 1.
Replacement LeakyRelu(NodeBuilder& b, const Node& node) {
  for (int i = 0; i < 2; ++i) {
    const Value x = node.input(i);
    const Node* product = InnerNode(node.input(1 - i), "Multiply");
    if (product == nullptr || !IsFloatValue(x)) continue;
    const auto scaled = OperandAndScalar(*product);
    if (!scaled.has_value() || scaled->x != x || !(scaled->number > 0) ||
        !(scaled->number < 1)) {
      continue;
    }
    return {PReluOf(b, x, scaled->number)};
  }
  return {};
}

// A PRelu whose slopes are all the same has one.
Replacement OneSlope(NodeBuilder& b, const Node& node) {
  const Value x = node.input(0);
  const Tensor* slopes = ConstantOf(node.input(1));
  if (slopes == nullptr || slopes->element_count() < 2 || !IsFloatValue(x) ||
      slopes->type() != x.type()) {
    return {};
  }
  const double first = slopes->ElementAsDouble(0);
  for (int64_t i = 1; i < slopes->element_count(); ++i) {
    if (slopes->ElementAsDouble(i) != first) return {};
  }
  return {PReluOf(b, x, first)};
}

constexpr NodeRule kRules[] = {
    {"Maximum", 1, "min(max(x, a), b)", &Ramp},
    {"Minimum", 1, "min(max(x, a), b)", &Ramp},
    {"Clamp", 0, "min(max(x, a), b)", &Ramp},
    {"Relu", 0, "max(min(x, b), 0)", &Ramp},
    {"Maximum", 1, "max(x, a * x)", &LeakyRelu},
    {"PRelu", 0, "a slope for all channels", &OneSlope},
};

}  // namespace

absl::Span<const NodeRule> ClampFusions() { return kRules; }

}  // namespace dovetail
