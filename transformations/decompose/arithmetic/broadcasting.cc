#include <cstdint>
#include <vector>

#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

bool IsPdpd(const Node& node) {
  for (const auto& [name, value] : ListAttributes(node.attributes())) {
    if (name == "auto_broadcast") return value == AttributeValue("pdpd");
  }
  return false;
}

// b, which is aligned at the first axis of a, gets axes of extent 1 behind its
// own: then it is aligned at the last.
Replacement Numpy(NodeBuilder& b, const Node& node) {
  const PartialShape& left = node.input(0).shape();
  const PartialShape& right = node.input(1).shape();
  if (!IsPdpd(node) || !left.rank_known() || !right.rank_known() ||
      right.rank() > left.rank()) {
    return {};
  }
  std::vector<int64_t> axes;
  for (int i = right.rank(); i < left.rank(); ++i) axes.push_back(i);
  const Value aligned =
      axes.empty() ? node.input(1) : b.Unsqueeze(node.input(1), axes);
  return {b.MakeLike(OpType::Named(node.op().type), {node.input(0), aligned},
                     {{"auto_broadcast", "numpy"}})};
}

consteval NodeRule Rule(const char* type, int version) {
  return {type, version, "numpy's broadcast, if it is pdpd's", &Numpy};
}

constexpr NodeRule kRules[] = {
    Rule("Add", 1),
    Rule("BitwiseAnd", 13),
    Rule("BitwiseLeftShift", 15),
    Rule("BitwiseOr", 13),
    Rule("BitwiseRightShift", 15),
    Rule("BitwiseXor", 13),
    Rule("Divide", 1),
    Rule("Equal", 1),
    Rule("FloorMod", 1),
    Rule("Greater", 1),
    Rule("GreaterEqual", 1),
    Rule("Less", 1),
    Rule("LessEqual", 1),
    Rule("LogicalAnd", 1),
    Rule("LogicalOr", 1),
    Rule("Maximum", 1),
    Rule("Minimum", 1),
    Rule("Mod", 1),
    Rule("Multiply", 1),
    Rule("Power", 1),
    Rule("Subtract", 1),
};

}  // namespace

absl::Span<const NodeRule> BroadcastingDecompositions() { return kRules; }

}  // namespace dovetail
