// B batch, T time, I input size, S hidden size.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dovetail/core/graph/body.h"
#include "dovetail/core/ops/control/loop.h"
#include "dovetail/core/ops/recurrent/attributes.h"
#include "dovetail/core/ops/recurrent/recurrent.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/movements.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/recurrent/rules.h"

namespace dovetail {
namespace {

bool IsCell(const Node& node) {
  return node.Is("LSTMCell-4") || node.Is("GRUCell-3") || node.Is("RNNCell-0");
}

// Which way slices of one element go through all of an axis of `extent`
// elements; nothing when they do something else.
std::optional<bool> GoesBackwards(const Slicing& slicing, Dimension extent) {
  const auto is = [&](int64_t at, int64_t from_end, int64_t from_start) {
    return at == from_end || (extent.is_static() && at == from_start);
  };
  if (slicing.part_size != 1) return std::nullopt;
  const int64_t count = extent.is_static() ? extent.value() : 0;
  if (slicing.stride == 1 && slicing.start == 0 && is(slicing.end, -1, count)) {
    return false;
  }
  if (slicing.stride == -1 && is(slicing.start, -1, count - 1) &&
      slicing.end == 0) {
    return true;
  }
  return std::nullopt;
}

// A loop over time of one cell.
class CellLoop {
 public:
  CellLoop(NodeBuilder& b, const Node& node)
      : b_(b), node_(node), body_(*node.bodies()[0]) {}

  Replacement Make() {
    if (!FindCell() || !FindData() || !FindInputs()) return {};
    const std::vector<Value> sequence = MakeSequence();
    Replacement outputs(node_.output_count());
    for (const BodyOutput& output : body_.outputs) {
      if (output.output < 0 || output.output >= node_.output_count()) return {};
      outputs[output.output] = OutputOf(output, sequence);
    }
    return outputs;
  }

 private:
  // The cell is all that computes anything.
  bool FindCell() {
    for (const auto& node : body_.model->nodes()) {
      const bool is_structure = node->op().Has(kStructural) || IsReshape(*node);
      if (IsCell(*node) && cell_ == nullptr) {
        cell_ = node.get();
      } else if (!is_structure && node->has_uses()) {
        return false;
      }
    }
    if (cell_ != nullptr) layout_ = LayoutOf(*cell_, cell_->input_count());
    return cell_ != nullptr;
  }

  // The parts of one sliced input, [B, I] each, are what the cell reads.
  bool FindData() {
    const Node* view = cell_->input(layout_.data).node;
    if (!IsReshape(*view)) return false;
    const BodyInput* input = InputFor(view->input(0));
    if (input == nullptr || !input->slicing.has_value()) return false;
    data_ = node_.input(input->input);
    if (!data_.shape().rank_known() || data_.shape().rank() != 3) return false;
    time_axis_ = static_cast<int>(input->slicing->axis);
    if (time_axis_ < 0) time_axis_ += 3;
    if (time_axis_ != 0 && time_axis_ != 1) return false;
    const auto way = GoesBackwards(*input->slicing, data_.shape()[time_axis_]);
    if (!way.has_value() || !IsWithout(time_axis_, view->input(0), view)) {
      return false;
    }
    backwards_ = *way;
    return RunsThroughAll(data_.shape()[time_axis_]);
  }

  // Whether a view drops that axis, of extent 1.
  static bool IsWithout(int axis, Value part, const Node* view) {
    const PartialShape& shape = part.shape();
    const PartialShape& rest = view->port().shape;
    if (!rest.rank_known() || rest.rank() + 1 != shape.rank()) return false;
    if (view->Is("Squeeze") && view->input_count() > 1) {
      const auto axes = ConstantInts(view->input(1));
      return axes.has_value() && axes->size() == 1 &&
             (axes->front() == axis || axes->front() == axis - shape.rank());
    }
    return IsSame(rest, shape, axis);
  }

  static bool IsAdded(int axis, Value rest, const Node* view) {
    const PartialShape& shape = view->port().shape;
    if (!shape.rank_known() || !rest.shape().rank_known() ||
        rest.shape().rank() + 1 != shape.rank()) {
      return false;
    }
    if (view->Is("Unsqueeze")) {
      const auto axes = ConstantInts(view->input(1));
      return axes.has_value() && axes->size() == 1 &&
             (axes->front() == axis || axes->front() == axis - shape.rank());
    }
    return IsSame(rest.shape(), shape, axis);
  }

  // Whether one shape is the other without an axis of extent 1, for certain.
  static bool IsSame(const PartialShape& rest, const PartialShape& shape,
                     int axis) {
    if (!rest.is_static() || !shape.is_static()) return false;
    std::vector<Dimension> dims = shape.dims();
    if (dims[axis] != Dimension(1)) return false;
    dims.erase(dims.begin() + axis);
    return PartialShape(dims) == rest;
  }

  // A Loop has a count of its own, and a condition.
  bool RunsThroughAll(const Dimension& extent) const {
    if (extent == Dimension(0)) return false;
    if (node_.Is("TensorIterator")) return true;
    const auto count = KnownInt(node_.input(0));
    return count.has_value() && KnownTruth(node_.input(1)) == true &&
           AlwaysGoesOn(body_) && body_.current_iteration_parameter < 0 &&
           (*count < 0 || (extent.is_static() && *count == extent.value()));
  }

  const BodyInput* InputFor(Value parameter) const {
    for (const BodyInput& input : body_.inputs) {
      if (body_.model->parameters()[input.parameter] == parameter.node) {
        return &input;
      }
    }
    return nullptr;
  }

  // The result that a parameter gets in the next iteration; null when it stays
  // as it is.
  const Node* NextOf(const Node* parameter) const {
    for (const BackEdge& edge : body_.back_edges) {
      if (body_.model->parameters()[edge.parameter] == parameter) {
        return body_.model->results()[edge.result];
      }
    }
    return nullptr;
  }

  // What a state of the cell is at first; its next one is the cell's output.
  Value FirstOf(int input, int output) const {
    const Value state = cell_->input(input);
    const BodyInput* from = InputFor(state);
    const Node* next = NextOf(state.node);
    if (from == nullptr || from->slicing.has_value() || next == nullptr ||
        next->input(0) != Value{const_cast<Node*>(cell_), output}) {
      return Value{};
    }
    return node_.input(from->input);
  }

  // A weight, as a value outside.
  Value WeightOf(int input) const {
    const Value weight = cell_->input(input);
    if (const Tensor* constant = ConstantOf(weight)) {
      return b_.Constant(*constant);
    }
    const BodyInput* from = InputFor(weight);
    if (from == nullptr || from->slicing.has_value() ||
        NextOf(weight.node) != nullptr) {
      return Value{};
    }
    return node_.input(from->input);
  }

  bool FindInputs() {
    hidden_ = FirstOf(layout_.hidden, 0);
    if (layout_.is_lstm) first_cell_ = FirstOf(layout_.cell, 1);
    for (int i = layout_.weights; i < cell_->input_count(); ++i) {
      weights_.push_back(WeightOf(i));
    }
    const bool has_all = std::all_of(weights_.begin(), weights_.end(),
                                     [](Value value) { return bool(value); });
    return has_all && hidden_ && (first_cell_ || !layout_.is_lstm);
  }

  std::vector<Value> MakeSequence() {
    const auto* attributes = CellAttributesOf(*cell_);
    const ElementType type = data_.type();
    const Value x = time_axis_ == 0 ? b_.Transpose(data_, {1, 0, 2}) : data_;
    std::vector<Value> inputs = {x, b_.Unsqueeze(hidden_, {1})};
    if (layout_.is_lstm) inputs.push_back(b_.Unsqueeze(first_cell_, {1}));
    inputs.push_back(b_.Broadcast(b_.Dim(x, 1), b_.Dim(x, 0)));
    for (Value weight : weights_) inputs.push_back(b_.Unsqueeze(weight, {0}));
    if (weights_.size() == 2) {  // no bias
      const int64_t blocks =
          attributes->linear_before_reset ? layout_.gates + 1 : layout_.gates;
      const auto zeros =
          Tensor::Allocate(type, {1, blocks * attributes->hidden_size});
      if (!zeros.ok()) return {};
      inputs.push_back(b_.Constant(*zeros));
    }
    AttributeList list = ListAttributes(cell_->attributes());
    list.push_back(
        {"direction", std::string(backwards_ ? "reverse" : "forward")});
    const absl::string_view type_name = cell_->op().type;
    const std::string sequence =
        absl::StrCat(type_name.substr(0, type_name.size() - 4), "Sequence");
    return b_.MakeAllLike(OpType::Named(sequence), inputs, list);
  }

  // Of the loop, in terms of those of the sequence: Y, H and C.
  Value OutputOf(const BodyOutput& output,
                 const std::vector<Value>& sequence) const {
    const Value given = body_.model->results()[output.result]->input(0);
    if (!output.slicing.has_value()) {
      const size_t state = given.index + 1;
      if (given.node != cell_ || state >= sequence.size()) return Value{};
      return b_.Squeeze(sequence[state], {1});
    }
    const int axis = static_cast<int>(output.slicing->axis);
    const auto way = GoesBackwards(*output.slicing, data_.shape()[time_axis_]);
    if (way != backwards_ || (axis != 0 && axis != 1) ||
        !IsReshape(*given.node) ||
        given.node->input(0) != Value{const_cast<Node*>(cell_), 0} ||
        !IsAdded(axis, given.node->input(0), given.node)) {
      return Value{};
    }
    const Value y = b_.Squeeze(sequence[0], {1});  // [B, T, S]
    return axis == 0 ? b_.Transpose(y, {1, 0, 2}) : y;
  }

  NodeBuilder& b_;
  const Node& node_;
  const Body& body_;
  const Node* cell_ = nullptr;
  RecurrentLayout layout_;
  Value data_, hidden_, first_cell_;
  std::vector<Value> weights_;  // W, R and perhaps B
  int time_axis_ = 1;
  bool backwards_ = false;
};

Replacement Sequence(NodeBuilder& b, const Node& node) {
  if (node.bodies().size() != 1) return {};
  return CellLoop(b, node).Make();
}

constexpr NodeRule kRules[] = {
    {"TensorIterator", 0, "a sequence of one cell", &Sequence},
    {"Loop", 5, "a sequence of one cell", &Sequence},
};

}  // namespace

absl::Span<const NodeRule> SequenceFusions() { return kRules; }

}  // namespace dovetail
