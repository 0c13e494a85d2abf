// LSTMSequence, GRUSequence and RNNSequence as a TensorIterator with the cell
// in its body. B batch, T time, I input size, S hidden size.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/strip.h"
#include "dovetail/core/ops/op_table.h"
#include "dovetail/core/ops/recurrent/attributes.h"
#include "dovetail/core/ops/recurrent/recurrent.h"
#include "dovetail/transformations/common/attribute_list.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/iteration_builder.h"
#include "dovetail/transformations/decompose/recurrent/rules.h"

namespace dovetail {
namespace {

// One direction: numbers of inputs as in recurrent.h, without the axis of
// directions.
struct Steps {
  Value data;                 // [B, T, I]
  Value hidden, cell;         // [B, S]
  std::vector<Value> weights;  // W, R, B and P as far as there are
  Value lengths;              // [B]; empty when all are T
  bool backwards = false;
};

// Whether all lengths are known to be T, which is not 0.
bool AllStepsCount(Value data, Value lengths) {
  const auto known = KnownInts(lengths);
  const PartialShape& shape = data.shape();
  if (!known.has_value() || !shape.rank_known() || shape.rank() != 3) {
    return false;
  }
  return std::all_of(known->begin(), known->end(), [&](int64_t length) {
    return length > 0 && shape[1].is_static() && shape[1].value() == length;
  });
}

Steps StepsOf(NodeBuilder& b, const Node& node, int direction) {
  const RecurrentLayout layout = LayoutOf(node, node.input_count());
  const auto part = [&](int input, int64_t axis) {
    return b.Gather(b.input(input), b.Int(direction), axis);
  };
  Steps steps;
  steps.data = b.input(layout.data);
  steps.hidden = part(layout.hidden, 1);
  if (layout.is_lstm) steps.cell = part(layout.cell, 1);
  for (int i = layout.weights; i < node.input_count(); ++i) {
    steps.weights.push_back(part(i, 0));
  }
  const Value lengths = b.input(layout.lengths);
  if (!AllStepsCount(steps.data, lengths)) {
    steps.lengths = b.Convert(lengths, ElementType::kI64);
  }
  steps.backwards =
      direction == 1 || CellAttributesOf(node)->direction ==
                            RecurrentDirection::kReverse;
  return steps;
}

// The first `lengths` elements of each batch in reverse order.
Value ReverseSteps(NodeBuilder& b, Value x, Value lengths) {
  const int64_t batch_axis = 0, time_axis = 1;
  return b.Make("ReverseSequence", {x, lengths},
                {{"batch_axis", batch_axis}, {"seq_axis", time_axis}});
}

// Whether a step counts: [B, T], as 0 <= step < length.
Value StepMask(NodeBuilder& b, Value data, Value lengths) {
  return b.Binary("Less", b.Counting(b.Dim(data, 1)),
                  b.Unsqueeze(lengths, {1}));
}

std::vector<Value> MakeCell(NodeBuilder& b, const std::vector<Value>& inputs) {
  // LSTMSequence-0 has peepholes, as only the old cell has.
  const OpInfo& sequence = b.node().op();
  const absl::string_view type = absl::StripSuffix(sequence.type, "Sequence");
  const std::string cell = std::string(type.data(), type.size()) + "Cell";
  if (sequence.version != 0) return b.MakeAllLike(OpType::Named(cell), inputs);
  const OpInfo* op = FindOp(cell, 0);
  std::unique_ptr<Attributes> attributes = op->make_attributes();
  b.Update(CopyAttributes(b.node().attributes(), *attributes));
  return b.MakeAll(*op, inputs, std::move(attributes));
}

// A sequence that is over keeps its state.
Value Keep(NodeBuilder& b, Value mask, Value next, Value before) {
  return mask ? b.Select(mask, next, before) : next;
}

// Puts what has been reversed in order again. A sequence without a step ends in
// zeros.
void FinishLengths(NodeBuilder& b, const Steps& steps,
                   std::vector<Value>& outputs) {
  if (steps.backwards) outputs[0] = ReverseSteps(b, outputs[0], steps.lengths);
  const Value is_empty =
      b.Unsqueeze(b.Binary("Equal", steps.lengths, 0.0), {1});
  for (size_t i = 1; i < outputs.size(); ++i) {
    outputs[i] = b.Select(is_empty, 0.0, outputs[i]);
  }
}

// Y [B, T, S], then the last states [B, S].
std::vector<Value> Iterate(NodeBuilder& b, const Steps& steps) {
  IterationBuilder loop(b);
  NodeBuilder& body = loop.body();
  // With lengths, ReverseSequence goes backwards instead.
  const bool backwards = steps.backwards && !steps.lengths;
  Value data = steps.data, mask;
  if (steps.backwards && steps.lengths) {
    data = ReverseSteps(b, data, steps.lengths);
  }
  const Value x = loop.Part(data, 1, backwards);
  if (steps.lengths) {
    mask = loop.Part(StepMask(b, steps.data, steps.lengths), 1);
  }
  std::vector<Value> states = {loop.State(steps.hidden)};
  if (steps.cell) states.push_back(loop.State(steps.cell));
  std::vector<Value> inputs = {body.Squeeze(x, {1})};
  inputs.insert(inputs.end(), states.begin(), states.end());
  for (Value weight : steps.weights) inputs.push_back(loop.Whole(weight));
  const std::vector<Value> next = MakeCell(body, inputs);
  if (next.size() != states.size()) return {};
  for (size_t i = 0; i < states.size(); ++i) {
    loop.SetNext(states[i], Keep(body, mask, next[i], states[i]));
  }
  const Value y = mask ? body.Select(mask, next[0], 0.0) : next[0];
  loop.ConcatOutput(body.Unsqueeze(y, {1}), 1, backwards);
  std::vector<Value> outputs = loop.Finish();
  std::rotate(outputs.begin(), outputs.end() - 1, outputs.end());
  if (steps.lengths) FinishLengths(b, steps, outputs);
  return outputs;
}

// Both directions are two loops; outputs get an axis of directions.
Replacement Sequence(NodeBuilder& b, const Node& node) {
  const bool both = CellAttributesOf(node)->direction ==
                    RecurrentDirection::kBidirectional;
  std::vector<std::vector<Value>> parts(node.output_count());
  for (int direction = 0; direction < (both ? 2 : 1); ++direction) {
    const std::vector<Value> outputs =
        Iterate(b, StepsOf(b, node, direction));
    if (outputs.size() != parts.size()) return {};
    for (size_t i = 0; i < outputs.size(); ++i) {
      parts[i].push_back(b.Unsqueeze(outputs[i], {1}));
    }
  }
  Replacement joined;
  for (const auto& part : parts) joined.push_back(b.Concat(part, 1));
  return joined;
}

constexpr absl::string_view kFormula = "a TensorIterator of cells";

constexpr NodeRule kRules[] = {
    {"GRUSequence", 5, kFormula, &Sequence},
    {"LSTMSequence", NodeRule::kAnyVersion, kFormula, &Sequence},
    {"RNNSequence", 5, kFormula, &Sequence},
};

}  // namespace

absl::Span<const NodeRule> SequenceDecompositions() { return kRules; }

}  // namespace dovetail
