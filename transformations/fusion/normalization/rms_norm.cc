#include <algorithm>
#include <utility>

#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/normalization/divide_by_root.h"
#include "dovetail/transformations/fusion/normalization/rms_norm_pattern.h"
#include "dovetail/transformations/fusion/normalization/rules.h"

namespace dovetail {
namespace {

// The nodes between x and `value`, both left out, each once.
void CollectBetween(Value x, Value value, std::vector<const Node*>& nodes) {
  if (value == x || value.node->Is("Constant")) return;
  if (std::find(nodes.begin(), nodes.end(), value.node) != nodes.end()) return;
  nodes.push_back(value.node);
  for (Value input : value.node->inputs()) CollectBetween(x, input, nodes);
}

// Without gamma.
std::optional<RmsNorm> Plain(const Node& last) {
  const auto over = DivideByRootOf(last);
  if (!over.has_value() || over->root.place != Root::Eps::kInside) {
    return std::nullopt;
  }
  const auto mean = ReductionOf(over->root.under, "ReduceMean");
  if (!mean.has_value() || !IsReadOnce(over->root.under) ||
      !IsReadOnce(mean->of) || SquareRootOf(mean->of) != over->of) {
    return std::nullopt;
  }
  RmsNorm norm{over->of, Value{}, mean->axes, over->root.eps, {}};
  CollectBetween(norm.x, OutputOf(last), norm.nodes);
  return norm;
}

// x * (1 / sqrt(…)) as x / sqrt(…).
Replacement AsQuotient(NodeBuilder& b, const Node& node) {
  const auto norm = Plain(node);
  if (!norm.has_value()) return {};
  const auto over = DivideByRootOf(node);
  return {b.Divide(norm->x, b.Make("Sqrt", {over->root.radicand}))};
}

// The square of a value: x^2 or x * x.
bool IsSquare(const Node& node) {
  if (node.input_count() != 2 || node.port().type != ElementType::kF32) {
    return false;
  }
  if (node.Is("Multiply")) return node.input(0) == node.input(1);
  return node.Is("Power") && ConstantNumber(node.input(1)) == 2;
}

constexpr NodeRule kRules[] = {
    {"Multiply", 1, "x * (1 / sqrt(mean(x * x) + eps))", &AsQuotient},
};

}  // namespace

std::optional<RmsNorm> MatchRmsNorm(const Node& last) {
  if (auto norm = Plain(last)) return norm;
  if (!last.Is("Multiply")) return std::nullopt;
  for (int i : {0, 1}) {
    const Value inner = last.input(i);
    if (ConstantOf(last.input(1 - i)) == nullptr || !IsReadOnce(inner)) {
      continue;
    }
    auto norm = Plain(*inner.node);
    if (!norm.has_value()) continue;
    norm->gamma = last.input(1 - i);
    norm->nodes.insert(norm->nodes.begin(), &last);
    return norm;
  }
  return std::nullopt;
}

std::optional<RmsNorm> RmsNormFrom(const Node& square) {
  if (!IsSquare(square)) return std::nullopt;
  constexpr int kLongest = 8;
  std::optional<RmsNorm> found;
  const Node* node = &square;
  for (int i = 0; i < kLongest && node->output_count() == 1; ++i) {
    const auto& uses = node->port().uses;
    if (uses.size() != 1) break;
    node = uses[0].node;
    auto match = MatchRmsNorm(*node);
    if (!match) continue;
    const auto& nodes = match->nodes;
    if (std::find(nodes.begin(), nodes.end(), &square) != nodes.end()) {
      found = std::move(match);
    }
  }
  return found;
}

absl::Span<const NodeRule> RmsNormFusions() { return kRules; }

}  // namespace dovetail
