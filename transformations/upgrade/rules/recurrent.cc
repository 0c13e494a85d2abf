#include <cstdint>
#include <vector>

#include "dovetail/core/ops/recurrent/attributes.h"
#include "dovetail/core/ops/recurrent/recurrent.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/upgrade/rules/rules.h"

namespace dovetail {
namespace {

bool IsZero(Value value) {
  const Tensor* tensor = ConstantOf(value);
  if (tensor == nullptr) return false;
  for (int64_t i = 0; i < tensor->element_count(); ++i) {
    if (tensor->ElementAsDouble(i) != 0) return false;
  }
  return true;
}

// The rows of each gate, along `axis`, in today's order.
Value InOrder(NodeBuilder& b, Value weights, const CellAttributes& cell,
              int64_t axis) {
  if (cell.weights_format == LstmWeightsFormat::kFico) return weights;
  const LstmGates order = GatesOf(cell.weights_format);
  std::vector<Value> gates;
  for (int64_t gate : {order.f, order.i, order.c, order.o}) {
    gates.push_back(b.Slice(weights, axis, gate * cell.hidden_size,
                            (gate + 1) * cell.hidden_size));
  }
  return b.Concat(gates, axis);
}

// Today's LSTM has no peepholes, and always a forget gate of its own.
Replacement Lstm(NodeBuilder& b, const Node& node) {
  const CellAttributes& cell = *CellAttributesOf(node);
  const RecurrentLayout at = LayoutOf(node, node.input_count());
  if (cell.input_forget) return {};
  if (at.peepholes >= 0 && !IsZero(node.input(at.peepholes))) return {};
  std::vector<Value> inputs = node.inputs();
  if (at.peepholes >= 0) inputs.resize(at.peepholes);
  for (int input : {at.weights, at.recurrence, at.bias}) {
    if (input < 0) continue;
    inputs[input] = InOrder(b, inputs[input], cell, at.is_sequence ? 1 : 0);
  }
  return b.MakeAllLike(OpType::Named(node.op().type), inputs);
}

constexpr NodeRule kRules[] = {
    {"LSTMCell", 0, "LSTMCell-4, gates in order; no peepholes", &Lstm},
    {"LSTMSequence", 0, "LSTMSequence-5, gates in order; no peepholes", &Lstm},
};

}  // namespace

absl::Span<const NodeRule> RecurrentUpgrades() { return kRules; }

}  // namespace dovetail
