// LSTMCell, GRUCell and RNNCell in products and activation functions. The
// formulas are those of the opset's specification; S is the hidden size, and
// every gate has S columns of x * W^T + h * R^T + B.
#include <cmath>
#include <string>
#include <vector>

#include "dovetail/core/ops/recurrent/activation.h"
#include "dovetail/core/ops/recurrent/attributes.h"
#include "dovetail/core/ops/recurrent/recurrent.h"
#include "dovetail/transformations/decompose/recurrent/rules.h"

namespace dovetail {
namespace {

// What the formulas of all cells need.
class Cell {
 public:
  Cell(NodeBuilder& b, const Node& node)
      : b_(b),
        attributes_(*CellAttributesOf(node)),
        layout_(LayoutOf(node, node.input_count())) {
    const int functions = layout_.is_lstm ? 3 : layout_.gates == 3 ? 2 : 1;
    const auto found = CellActivations(attributes_, functions);
    if (found.ok()) activations_ = *found;
  }

  const CellAttributes& attributes() const { return attributes_; }
  int64_t size() const { return attributes_.hidden_size; }
  Value hidden() const { return b_.input(layout_.hidden); }
  Value cell() const { return b_.input(layout_.cell); }
  bool has_bias() const { return layout_.bias >= 0; }
  bool has_peepholes() const { return layout_.peepholes >= 0; }

  // Blocks begin … end - 1, of S rows each, of W, R or B.
  Value Blocks(int input, int begin, int end) const {
    return b_.Slice(b_.input(input), 0, begin * size(), end * size());
  }

  // x * W^T for all gates.
  Value FromData() const {
    return b_.MatMul(b_.input(layout_.data), b_.input(layout_.weights), false,
                     true);
  }
  // h * R^T for the gates begin … end - 1.
  Value FromState(Value h, int begin, int end) const {
    const Value r = begin == 0 && end == layout_.gates
                        ? b_.input(layout_.recurrence)
                        : Blocks(layout_.recurrence, begin, end);
    return b_.MatMul(h, r, false, true);
  }
  // Adds the blocks begin … end - 1 of B.
  Value WithBias(Value sums, int begin, int end) const {
    if (!has_bias()) return sums;
    const Value bias = begin == 0 && end == layout_.bias_blocks
                           ? b_.input(layout_.bias)
                           : Blocks(layout_.bias, begin, end);
    return b_.Add(sums, bias);
  }
  // The S columns of each of `count` gates.
  std::vector<Value> Split(Value sums, int64_t count) const {
    return b_.MakeAllLike("Split", {sums, b_.Int(1)}, {{"num_splits", count}});
  }
  // p * c, added to the gate's sum, if there are peepholes.
  Value WithPeephole(Value sum, int block, Value c) const {
    if (!has_peepholes()) return sum;
    return b_.Add(sum, b_.Multiply(Blocks(layout_.peepholes, block, block + 1),
                                   c));
  }

  Value Clip(Value x) const {
    const double bound = attributes_.clip;
    if (bound == 0 || std::isinf(bound)) return x;
    return b_.Make("Clamp", {x}, {{"min", -bound}, {"max", bound}});
  }
  Value Activate(int function, Value x) const {
    const CellActivation& activation = activations_[function];
    switch (activation.function) {
      case CellFunction::kSigmoid: return b_.Make("Sigmoid", {x});
      case CellFunction::kTanh: return b_.Make("Tanh", {x});
      case CellFunction::kRelu: return b_.Make("Relu", {x});
      case CellFunction::kHardSigmoid: break;
    }
    return b_.Make("HardSigmoid", {x, b_.Number(x.type(), activation.alpha),
                                   b_.Number(x.type(), activation.beta)});
  }
  Value Gate(int function, Value sum) const {
    return Activate(function, Clip(sum));
  }

 private:
  NodeBuilder& b_;
  const CellAttributes& attributes_;
  const RecurrentLayout layout_;
  std::vector<CellActivation> activations_;
};

// h' = f(x * W^T + h * R^T + B)
Replacement RnnCell(NodeBuilder& b, const Node& node) {
  const Cell cell(b, node);
  const Value sums =
      b.Add(cell.FromData(), cell.FromState(cell.hidden(), 0, 1));
  return {cell.Gate(0, cell.WithBias(sums, 0, 1))};
}

// i = f(i' + Pi c), f = f(f' + Pf c) or 1 - i, c' = f * c + i * g(c'')
// o = f(o' + Po c'), h' = o * h(c')
Replacement LstmCell(NodeBuilder& b, const Node& node) {
  const Cell cell(b, node);
  const auto [f, i, c, o] = GatesOf(cell.attributes().weights_format);
  const Value before = cell.cell();
  const auto sums = cell.Split(
      cell.WithBias(
          b.Add(cell.FromData(), cell.FromState(cell.hidden(), 0, 4)), 0, 4),
      4);
  if (sums.size() != 4) return {};
  const Value input = cell.Gate(0, cell.WithPeephole(sums[i], 0, before));
  const Value forget =
      cell.attributes().input_forget
          ? b.Subtract(1.0, input)
          : cell.Gate(0, cell.WithPeephole(sums[f], 2, before));
  const Value candidate = cell.Gate(1, sums[c]);
  const Value next =
      b.Add(b.Multiply(forget, before), b.Multiply(input, candidate));
  const Value output = cell.Gate(0, cell.WithPeephole(sums[o], 1, next));
  return {b.Multiply(output, cell.Activate(2, next)), next};
}

// h' = (1 - z) * next + z * h
Value MixStates(NodeBuilder& b, Value z, Value next, Value h) {
  return b.Add(b.Multiply(b.Subtract(1.0, z), next), b.Multiply(z, h));
}

// next = g(Wh x + Bw + r * (Rh h + Br))
Replacement GruLinearCell(NodeBuilder& b, const Cell& cell) {
  const Value h = cell.hidden();
  const auto data = cell.Split(cell.WithBias(cell.FromData(), 0, 3), 3);
  const auto state = cell.Split(cell.FromState(h, 0, 3), 3);
  if (data.size() != 3 || state.size() != 3) return {};
  const Value z = cell.Gate(0, b.Add(data[0], state[0]));
  const Value r = cell.Gate(0, b.Add(data[1], state[1]));
  const Value recurrent = b.Multiply(r, cell.WithBias(state[2], 3, 4));
  const Value next = cell.Gate(1, b.Add(data[2], recurrent));
  return {MixStates(b, z, next, h)};
}

// next = g(Wh x + Rh (r * h) + Bh)
Replacement GruCell(NodeBuilder& b, const Node& node) {
  const Cell cell(b, node);
  if (cell.attributes().linear_before_reset) return GruLinearCell(b, cell);
  const Value h = cell.hidden();
  const auto data = cell.Split(cell.WithBias(cell.FromData(), 0, 3), 3);
  const auto state = cell.Split(cell.FromState(h, 0, 2), 2);
  if (data.size() != 3 || state.size() != 2) return {};
  const Value z = cell.Gate(0, b.Add(data[0], state[0]));
  const Value r = cell.Gate(0, b.Add(data[1], state[1]));
  const Value recurrent = cell.FromState(b.Multiply(r, h), 2, 3);
  const Value next = cell.Gate(1, b.Add(data[2], recurrent));
  return {MixStates(b, z, next, h)};
}

constexpr NodeRule kRules[] = {
    {"RNNCell", 0, "f(x W^T + h R^T + B)", &RnnCell},
    {"GRUCell", 3, "(1 - z) * next + z * h", &GruCell},
    {"LSTMCell", NodeRule::kAnyVersion, "c' = f * c + i * g, h' = o * h(c')",
     &LstmCell},
};

}  // namespace

absl::Span<const NodeRule> CellDecompositions() { return kRules; }

}  // namespace dovetail
