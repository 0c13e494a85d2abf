#include "dovetail/backends/common/program/variables/growing_variable.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/ops/movement/joining/concat.h"
#include "dovetail/core/ops/structural/structural.h"
#include "dovetail/core/tensor/shapes/axis_order.h"
#include "dovetail/core/tensor/shapes/shape.h"
#include "dovetail/transformations/common/constants.h"
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
  const Order back = InverseOrder(order);
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

// The only reader of a parameter, where it takes slices by numbers that are one
// of the first parameters themselves.
const Node* GatherOf(const Node& parameter) {
  const auto& uses = parameter.port().uses;
  if (uses.size() != 1 || uses[0].input != 0) return nullptr;
  const Node& gather = *uses[0].node;
  const bool is_gather =
      gather.Is("Gather") && gather.input(1).node->Is("Parameter") &&
      gather.input(1).shape().rank_known() &&
      gather.input(1).shape().rank() == 1 && BatchDims(gather, 1) == 0;
  return is_gather ? &gather : nullptr;
}

// As VariableGather has it, where Gather's axis is a constant and its numbers
// are one of the first `own_parameters` of the model.
std::optional<VariableGather> GatherBy(const Node& gather,
                                       size_t own_parameters,
                                       const Model& model) {
  VariableGather by;
  for (size_t i = 0; i < own_parameters; ++i) {
    if (model.parameters()[i] == gather.input(1).node) {
      by.indices = static_cast<int>(i);
    }
  }
  const auto axis = ConstantInts(gather.input(2));
  if (by.indices < 0 || !axis.has_value() || axis->size() != 1) {
    return std::nullopt;
  }
  const auto place = NormalizeAxis((*axis)[0], gather.port().shape.rank());
  if (!place.ok()) return std::nullopt;
  by.axis = *place;
  by.from_end = gather.op().version >= 8;
  return by;
}

// `first` is the parameter, or what is taken of it.
absl::Status MoveOutermost(Node& parameter, Value first, Node& result,
                           const Order& order, Model& model) {
  const Value whole = result.input(0);
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
  if (first.node != &parameter) model.RemoveNode(first.node);
  model.RemoveNode(&parameter);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::optional<Growth>> GrowOutermost(Node& parameter,
                                                    Node& result,
                                                    size_t own_parameters,
                                                    Model& model) {
  Growth growth;
  Value first = parameter.output();
  if (const Node* const gather = GatherOf(parameter)) {
    first = Value{const_cast<Node*>(gather), 0};
  }
  const int axis = GrowingAxis(first, result.input(0));
  if (axis < 0) return std::nullopt;
  const Order order = Outermost(axis, first.shape().rank());
  if (first.node != &parameter) {
    growth.gather = GatherBy(*first.node, own_parameters, model);
    if (!growth.gather.has_value()) return std::nullopt;
    growth.gather->axis =
        static_cast<int>(InverseOrder(order)[growth.gather->axis]);
  } else if (axis == 0) {
    return growth;
  }
  DOVETAIL_RETURN_IF_ERROR(
      MoveOutermost(parameter, first, result, order, model));
  growth.order.assign(order.begin(), order.end());
  return growth;
}

}  // namespace dovetail
