#include "dovetail/backends/common/program/analysis/growing_variable.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {
namespace {

// Permutations as Transpose takes them.
using Order = std::vector<int64_t>;

Order Outermost(int axis, int rank) {
  Order order = {axis};
  for (int i = 0; i < rank; ++i) {
    if (i != axis) order.push_back(i);
  }
  return order;
}

Order Inverse(const Order& order) {
  Order inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    inverse[order[i]] = static_cast<int64_t>(i);
  }
  return inverse;
}

PartialShape Permuted(const PartialShape& shape, const Order& order) {
  PartialShape permuted = PartialShape::OfRank(0);
  for (const int64_t axis : order) permuted.push_back(shape[axis]);
  return permuted;
}

// Along which `whole` joins `first` and others behind it; -1: it does not.
int GrowingAxis(Value first, Value whole) {
  const Node& concat = *whole.node;
  const auto* attributes = concat.As<ConcatAttributes>();
  if (!concat.Is("Concat") || attributes == nullptr ||
      concat.input_count() < 2 || concat.input(0) != first ||
      std::count(concat.inputs().begin(), concat.inputs().end(), first) != 1 ||
      !first.shape().rank_known() || first.type() != whole.type()) {
    return -1;
  }
  const ElementType type = first.type();
  if (type == ElementType::kDynamic || type == ElementType::kString ||
      IsSubByte(type)) {
    return -1;
  }
  const auto axis = NormalizeAxis(attributes->axis, first.shape().rank());
  return axis.ok() ? *axis : -1;
}

// All that reads `from` shall read `moved`, whose axis i is axis order[i] of
// what it reads now. Extents are taken of `moved` itself, so that no segment
// moves elements for them.
void Redirect(Value from, Value moved, const Order& order, NodeBuilder& b) {
  const Order back = Inverse(order);
  const std::vector<Use> uses = from.node->port(from.index).uses;
  for (const Use& use : uses) {
    if (!use.node->Is("ShapeOf")) continue;
    const Value extents = use.node->output();
    use.node->SetInput(use.input, moved);
    b.Update(use.node->Infer());
    const Value as_before = b.Gather(extents, b.Ints(back), 0);
    if (as_before) b.model().ReplaceUses(extents, as_before);
  }
  const Value as_before = b.Transpose(moved, back);
  if (as_before) b.model().ReplaceUses(from, as_before);
}

absl::Status MoveOutermost(Node& parameter, Node& result, const Order& order,
                           Model& model) {
  const Value first = parameter.output(), whole = result.input(0);
  Node* const concat = whole.node;
  NodeBuilder b(model, *concat);
  const PartialShape shape = Permuted(first.shape(), order);
  DOVETAIL_ASSIGN_OR_RETURN(
      Node* const moved,
      AddParameter(model, first.type(), shape, parameter.name()));
  std::vector<Value> parts = {moved->output()};
  for (int i = 1; i < concat->input_count(); ++i) {
    parts.push_back(b.Transpose(concat->input(i), order));
  }
  const Value joined = b.Concat(parts, 0);
  DOVETAIL_RETURN_IF_ERROR(b.status());
  result.SetInput(0, joined);
  Redirect(whole, joined, order, b);
  Redirect(first, moved->output(), order, b);
  DOVETAIL_RETURN_IF_ERROR(b.status());
  model.RemoveNode(concat);
  model.RemoveNode(&parameter);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::optional<std::vector<int>>> GrowOutermost(Node& parameter,
                                                              Node& result,
                                                              Model& model) {
  const int axis = GrowingAxis(parameter.output(), result.input(0));
  if (axis < 0) return std::nullopt;
  if (axis == 0) return std::vector<int>();
  const Order order = Outermost(axis, parameter.port().shape.rank());
  DOVETAIL_RETURN_IF_ERROR(MoveOutermost(parameter, result, order, model));
  return std::vector<int>(order.begin(), order.end());
}

}  // namespace dovetail
