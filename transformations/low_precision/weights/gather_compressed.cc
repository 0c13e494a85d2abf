#include "dovetail/transformations/low_precision/weights/gather_compressed.h"

#include <optional>
#include <vector>

#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/pass/for_each_model.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/common/node_builder.h"
#include "dovetail/transformations/low_precision/replace.h"
#include "dovetail/transformations/low_precision/weights/compressed_weights.h"

namespace dovetail {
namespace {

// Whether the constant has a number, or some, for each row of a table.
bool IsOfRows(Value constant, const Shape& table) {
  const Tensor* tensor = ConstantOf(constant);
  return tensor != nullptr && tensor->rank() == table.rank() &&
         tensor->shape()[0] == table[0];
}

// Before version 8, negative indices did not count from the end.
bool IsAlongRows(const Node& gather) {
  const auto* attributes = gather.As<GatherAttributes>();
  const auto axis = ConstantInts(gather.input(2));
  return gather.op().version >= 8 && attributes != nullptr &&
         attributes->batch_dims == 0 && axis.has_value() && axis->size() == 1 &&
         (*axis)[0] == 0 && gather.input(1).shape().rank_known();
}

// [indices…, what a row of the table is after Reshape].
Value ReshapeRows(NodeBuilder& b, Value rows, const Node& gather) {
  const PartialShape& wanted = gather.input(0).shape();
  std::vector<int64_t> shape(gather.input(1).shape().rank(), 0);  // as it is
  for (int axis = 1; axis < wanted.rank(); ++axis) {
    shape.push_back(wanted[axis].value());
  }
  return b.Make("Reshape", {rows, b.Ints(shape)}, {{"special_zero", true}});
}

absl::StatusOr<bool> Apply(Model& model, Node& gather, int least_bits) {
  const auto table = MatchDecompression(gather.input(0));
  if (!table.has_value() || !gather.input(0).shape().is_static() ||
      BitWidth(table->constant.type()) < least_bits) {
    return false;
  }
  const Shape& stored = ConstantOf(table->constant)->shape();
  if (stored.rank() < 2 || !IsOfRows(table->scale, stored) ||
      gather.input(0).shape().rank() < 2 ||
      gather.input(0).shape()[0].value() != stored[0]) {
    return false;
  }
  NodeBuilder b(model, gather);
  const auto rows_of = [&](Value constant) {
    const Value rows = IsOfRows(constant, stored)
                           ? b.Gather(constant, gather.input(1), 0)
                           : constant;
    return b.Convert(rows, table->type);
  };
  Value rows = rows_of(table->constant);
  if (table->zero_point) rows = b.Subtract(rows, rows_of(table->zero_point));
  rows = b.Multiply(rows, rows_of(table->scale));
  if (table->is_reshaped) rows = ReshapeRows(b, rows, gather);
  rows = b.Convert(rows, gather.port().type);
  DOVETAIL_RETURN_IF_ERROR(ReplaceByAdded(b, gather, {rows}));
  return true;
}

}  // namespace

absl::StatusOr<bool> GatherCompressed::Run(Model& model) {
  return ForEachModel(model, [this](Model& each) -> absl::StatusOr<bool> {
    DOVETAIL_ASSIGN_OR_RETURN(const std::vector<Node*> order,
                              each.TopologicalOrder());
    bool any_changed = false;
    for (Node* node : order) {
      if (!node->Is("Gather") || !IsAlongRows(*node)) continue;
      DOVETAIL_ASSIGN_OR_RETURN(const bool changed,
                                Apply(each, *node, least_bits_));
      any_changed |= changed;
    }
    return any_changed;
  });
}

}  // namespace dovetail
