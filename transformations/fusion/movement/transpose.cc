#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/axes.h"
#include "dovetail/transformations/fusion/common/clone_with.h"
#include "dovetail/transformations/fusion/common/folding.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/movement/elementwise.h"
#include "dovetail/transformations/fusion/movement/rules.h"

namespace dovetail {
namespace {

constexpr int kMaxDepth = 12;
constexpr int64_t kMaxConstantElements = int64_t{1} << 20;

// Two in a row.
Replacement FuseTransposes(NodeBuilder& b, const Node& node) {
  const Node* first = NodeOf(node.input(0), "Transpose");
  if (first == nullptr) return {};
  const auto before = OrderOf(*first), after = OrderOf(node);
  if (!before || !after || before->size() != after->size()) return {};
  const AxisOrder both = Composed(*before, *after);
  if (IsInOrder(both)) return {first->input(0)};
  return {b.Transpose(first->input(0), both)};
}

// Whether axes that are longer than 1 keep their order.
bool MovesOnesOnly(const AxisOrder& order, const PartialShape& shape) {
  int64_t last = -1;
  for (int64_t axis : order) {
    if (shape[static_cast<int>(axis)] == Dimension(1)) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

Replacement AsReshape(NodeBuilder& b, const Node& node) {
  const auto order = OrderOf(node);
  const auto shape = node.port().shape.ToShape();
  if (!order || !shape.ok() || IsInOrder(*order) ||
      !MovesOnesOnly(*order, node.input(0).shape())) {
    return {};
  }
  return {b.ReshapeTo(node.input(0), shape->ToVector())};
}

// ---- On both sides ----

// Finds what is a value with its axes in another order, where that costs less
// than a Transpose: through operations that work element by element, from
// Transposes that undo it.
class Mover {
 public:
  Mover(NodeBuilder& b, const AxisOrder& order) : b_(b), order_(order) {}

  // Whether it can be had: at least one Transpose goes, and none comes.
  bool CanMove(Value value, int depth = 0) {
    if (IsUndone(value)) return found_ = true;
    if (const Tensor* constant = ConstantOf(value)) {
      return constant->element_count() <= kMaxConstantElements &&
             constant->rank() <= rank();
    }
    if (depth > kMaxDepth || !IsReadOnce(value) ||
        value.node->output_count() != 1) {
      return false;
    }
    const Node& node = *value.node;
    if (IsUnaryElementwise(node)) return CanMove(node.input(0), depth + 1);
    return IsBinaryElementwise(node) && value.shape().rank_known() &&
           value.shape().rank() == rank() &&
           CanMove(node.input(0), depth + 1) &&
           CanMove(node.input(1), depth + 1);
  }
  bool found() const { return found_; }

  Value Moved(Value value) {
    if (IsUndone(value)) return value.node->input(0);
    if (ConstantOf(value) != nullptr) return MovedConstant(value);
    const Node& node = *value.node;
    std::vector<Value> inputs = node.inputs();
    inputs[0] = Moved(inputs[0]);
    if (IsBinaryElementwise(node)) inputs[1] = Moved(inputs[1]);
    return CloneWith(b_, node, inputs);
  }

 private:
  int rank() const { return static_cast<int>(order_.size()); }

  bool IsUndone(Value value) const {
    const Node* transpose = NodeOf(value, "Transpose");
    const auto first =
        transpose == nullptr ? std::nullopt : OrderOf(*transpose);
    return first.has_value() && first->size() == order_.size() &&
           IsInOrder(Composed(*first, order_));
  }

  // With ones for the axes that broadcasting adds.
  Value MovedConstant(Value value) {
    const Tensor& tensor = *ConstantOf(value);
    if (tensor.element_count() == 1) return value;
    std::vector<int64_t> shape(rank() - tensor.rank(), 1);
    shape.insert(shape.end(), tensor.shape().begin(), tensor.shape().end());
    const Value whole = tensor.rank() == rank()
                            ? value
                            : Folded(b_, "Reshape", {value, b_.Ints(shape)},
                                     {{"special_zero", false}});
    return Folded(b_, "Transpose", {whole, b_.Ints(order_)});
  }

  NodeBuilder& b_;
  const AxisOrder& order_;
  bool found_ = false;
};

Replacement Sink(NodeBuilder& b, const Node& node) {
  const auto order = OrderOf(node);
  if (!order.has_value() || IsInOrder(*order)) return {};
  Mover mover(b, *order);
  if (!mover.CanMove(node.input(0)) || !mover.found()) return {};
  return {mover.Moved(node.input(0))};
}

constexpr NodeRule kRules[] = {
    {"Transpose", 1, "two in a row", &FuseTransposes},
    {"Transpose", 1, "a reshape where only ones move", &AsReshape},
    {"Transpose", 1, "t(f(t'(x))) = f(x)", &Sink},
};

}  // namespace

absl::Span<const NodeRule> TransposeFusions() { return kRules; }

}  // namespace dovetail
