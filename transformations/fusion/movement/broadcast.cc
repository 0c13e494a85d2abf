#include <optional>
#include <vector>

#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/movement/elementwise.h"
#include "dovetail/transformations/fusion/movement/rules.h"

namespace dovetail {
namespace {

// Whether `to` is what NumPy's broadcasting makes of `from`.
bool IsBroadcast(const PartialShape& from, const PartialShape& to) {
  if (!from.is_static() || !to.is_static() || from.rank() > to.rank()) {
    return false;
  }
  for (int i = 1; i <= from.rank(); ++i) {
    const Dimension& extent = from[from.rank() - i];
    if (extent != Dimension(1) && extent != to[to.rank() - i]) return false;
  }
  return true;
}

// x of a broadcast x.
Value BeforeBroadcast(Value value) {
  const Node* node = value.node;
  const bool is_broadcast = node->Is("Broadcast") && node->input_count() == 2;
  if (!is_broadcast && !node->Is("Tile")) return Value{};
  const Value x = node->input(0);
  return IsBroadcast(x.shape(), value.shape()) ? x : Value{};
}

Replacement TakeOut(NodeBuilder& b, const Node& node) {
  if (!IsBinaryElementwise(node)) return {};
  std::vector<Value> inputs = node.inputs();
  bool changed = false;
  for (int i : {0, 1}) {
    const Value x = BeforeBroadcast(inputs[i]);
    if (!x) continue;
    const auto shape = BroadcastNumpy(x.shape(), inputs[1 - i].shape());
    if (!shape.has_value() || *shape != node.port().shape) continue;
    inputs[i] = x;
    changed = true;
  }
  if (!changed) return {};
  return {CloneWith(b, node, inputs)};
}

constexpr NodeRule kRules[] = {
    {"Add", 1, "broadcasts itself", &TakeOut},
    {"Divide", 1, "broadcasts itself", &TakeOut},
    {"Maximum", 1, "broadcasts itself", &TakeOut},
    {"Minimum", 1, "broadcasts itself", &TakeOut},
    {"Multiply", 1, "broadcasts itself", &TakeOut},
    {"Power", 1, "broadcasts itself", &TakeOut},
    {"SquaredDifference", 0, "broadcasts itself", &TakeOut},
    {"Subtract", 1, "broadcasts itself", &TakeOut},
};

}  // namespace

absl::Span<const NodeRule> BroadcastFusions() { return kRules; }

}  // namespace dovetail
