#include "dovetail/transformations/upgrade/rules/rules.h"

namespace dovetail {
namespace {

// These say today of which type they are, where once their inputs did.

Replacement Range(NodeBuilder& b, const Node& node) {
  const ElementType type = node.port().type;
  if (type == ElementType::kDynamic) return {};
  return {b.Make("Range", node.inputs(), {{"output_type", type}})};
}

Replacement ReadValue(NodeBuilder& b, const Node& node) {
  const OutputPort& port = node.port();
  if (port.type == ElementType::kDynamic) return {};
  return {b.MakeLike(
      "ReadValue", node.inputs(),
      {{"variable_type", port.type}, {"variable_shape", port.shape}})};
}

constexpr NodeRule kRules[] = {
    {"Range", 0, "Range-4", &Range},
    {"ReadValue", 3, "ReadValue-6", &ReadValue},
};

}  // namespace

absl::Span<const NodeRule> DeclaredTypeUpgrades() { return kRules; }

}  // namespace dovetail
