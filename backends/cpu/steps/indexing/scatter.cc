#include "dovetail/backends/cpu/steps/indexing/scatter.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/cpu/steps/common/index_type.h"
#include "dovetail/backends/cpu/steps/indexing/scatter_step.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/indexing/scatter/scatter_elements_update.h"
#include "dovetail/core/ops/indexing/scatter/scatter_nd_update.h"

namespace dovetail::cpu {
namespace {

using host::ScatterOp;
using host::ScatterType;
using host::ScatterUpdate;

ScatterOp OpOf(ScatterNDReduction reduction) {
  switch (reduction) {
    case ScatterNDReduction::kNone:
      return ScatterOp::kReplace;
    case ScatterNDReduction::kSum:
      return ScatterOp::kSum;
    case ScatterNDReduction::kSub:
      return ScatterOp::kSub;
    case ScatterNDReduction::kProd:
      return ScatterOp::kProd;
    case ScatterNDReduction::kMin:
      return ScatterOp::kMin;
    case ScatterNDReduction::kMax:
      return ScatterOp::kMax;
  }
  return ScatterOp::kReplace;
}

// Nothing for means.
std::optional<ScatterOp> OpOf(ScatterReduction reduction) {
  switch (reduction) {
    case ScatterReduction::kNone:
      return ScatterOp::kReplace;
    case ScatterReduction::kSum:
      return ScatterOp::kSum;
    case ScatterReduction::kProd:
      return ScatterOp::kProd;
    case ScatterReduction::kMin:
      return ScatterOp::kMin;
    case ScatterReduction::kMax:
      return ScatterOp::kMax;
    case ScatterReduction::kMean:
      return std::nullopt;
  }
  return std::nullopt;
}

// Nothing where elements of that type are not combined.
std::optional<ScatterUpdate> UpdateOf(ScatterOp op, ElementType type) {
  if (op == ScatterOp::kReplace) return ScatterUpdate();
  switch (type) {
    case ElementType::kF32:
      return ScatterUpdate{op, ScatterType::kF32};
    case ElementType::kI32:
      return ScatterUpdate{op, ScatterType::kI32};
    case ElementType::kI64:
      return ScatterUpdate{op, ScatterType::kI64};
    default:
      return std::nullopt;
  }
}

std::optional<ScatterUpdate> UpdateOf(
    const ScatterElementsUpdateAttributes* attributes, ElementType type) {
  if (attributes == nullptr) return ScatterUpdate();
  const std::optional<ScatterOp> op = OpOf(attributes->reduction);
  if (!op.has_value()) return std::nullopt;
  const bool is_taken = *op == ScatterOp::kReplace || attributes->use_init_val;
  return is_taken ? UpdateOf(*op, type) : std::nullopt;
}

// What all steps can do. An empty output has no runs to count.
bool IsTaken(const Node& node) {
  return IsCopied(node.input(0).type()) && IsIndex(node.input(1).type()) &&
         PlanBuilder::ShapeOf(node.input(0)).Count() > 0;
}

// The indices are an operand only where the step reads them.
absl::Status Add(const Node& node, PlanBuilder& builder,
                 std::unique_ptr<Step> step, bool reads_indices) {
  DOVETAIL_ASSIGN_OR_RETURN(const Operand data,
                            builder.ReadPlain(node.input(0)));
  DOVETAIL_ASSIGN_OR_RETURN(const Operand updates,
                            builder.ReadPlain(node.input(2)));
  std::vector<Operand> inputs = {data, updates};
  if (reads_indices) {
    DOVETAIL_ASSIGN_OR_RETURN(const Operand indices,
                              builder.ReadPlain(node.input(1)));
    inputs.push_back(indices);
  }
  const Operand output = builder.WritePlain(PlanBuilder::OutputOf(node));
  builder.AllowInPlace(output, data, /*alone=*/true);
  builder.Add(node, "scatter", std::move(step), inputs, {output});
  return absl::OkStatus();
}

// Runs are of use where they are longer than what says where they lie, or few.
std::optional<host::ScatterRuns> RunsOf(const Node& node,
                                        const host::ScatterShape& shape) {
  constexpr int64_t kLongBytes = 64, kFew = 1024;
  const Tensor* const indices = PlanBuilder::ConstantOf(node.input(1));
  if (indices == nullptr) return std::nullopt;
  const int64_t limit = shape.run_bytes >= kLongBytes
                            ? shape.count
                            : std::max<int64_t>(kFew, shape.count / 4);
  return host::FindScatterRuns(
      shape, {indices->raw_data(), indices->type() == ElementType::kI64},
      limit);
}

absl::Status AddScatter(const Node& node, PlanBuilder& builder,
                        const host::ScatterShape& shape,
                        const ScatterUpdate& update) {
  std::optional<host::ScatterRuns> runs = RunsOf(node, shape);
  if (runs.has_value()) {
    return Add(node, builder,
               MakeScatterByRunsStep(*std::move(runs), update,
                                     BitWidth(node.input(0).type()) / 8),
               /*reads_indices=*/false);
  }
  return Add(
      node, builder,
      MakeScatterStep(shape, update, node.input(1).type() == ElementType::kI64,
                      node.Describe()),
      /*reads_indices=*/true);
}

// Places of the dimensions [first, last) of `part` in those of `whole`, which
// are as long or longer, in elements; empty where they are the same.
std::vector<int64_t> PlacesIn(const Shape& whole, const Shape& part, int first,
                              int last) {
  bool same = true;
  for (int i = first; i < last; ++i) same = same && whole[i] == part[i];
  if (same) return {};
  std::vector<int64_t> places(part.Count(first, last));
  for (size_t k = 0; k < places.size(); ++k) {
    int64_t rest = static_cast<int64_t>(k), stride = 1;
    for (int i = last - 1; i >= first; --i) {
      places[k] += rest % part[i] * stride;
      rest /= part[i];
      stride *= whole[i];
    }
  }
  return places;
}

host::ScatterElementsShape ElementsShapeOf(const Shape& data,
                                           const Shape& indices, int axis,
                                           int element_size) {
  const int rank = data.rank();
  return {.outer = indices.Count(0, axis),
          .extent = data[axis],
          .inner = data.Count(axis + 1, rank),
          .count = indices[axis],
          .columns = indices.Count(axis + 1, rank),
          .rows = PlacesIn(data, indices, 0, axis),
          .inner_offsets = PlacesIn(data, indices, axis + 1, rank),
          .element_size = element_size};
}

}  // namespace

absl::StatusOr<bool> EmitScatterUpdate(const Node& node, PlanBuilder& builder) {
  const auto axes = ConstantList(node, 3);
  if (!axes || axes->size() != 1 || !IsTaken(node)) return false;
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], data.rank()));
  host::ScatterShape shape;
  shape.batch = data.Count(0, axis);
  shape.count = PlanBuilder::ShapeOf(node.input(1)).Count();
  shape.dims = {data[axis]};
  shape.run_bytes =
      data.Count(axis + 1, data.rank()) * BitWidth(node.input(0).type()) / 8;
  shape.from_end = false;
  DOVETAIL_RETURN_IF_ERROR(AddScatter(node, builder, shape, ScatterUpdate()));
  return true;
}

absl::StatusOr<bool> EmitScatterNdUpdate(const Node& node,
                                         PlanBuilder& builder) {
  const auto* attributes = node.As<ScatterNDUpdateAttributes>();
  const ElementType type = node.input(0).type();
  const auto update = UpdateOf(
      attributes == nullptr ? ScatterOp::kReplace : OpOf(attributes->reduction),
      type);
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  const Shape indices = PlanBuilder::ShapeOf(node.input(1));
  if (!update.has_value() || !IsTaken(node) || indices.rank() == 0) {
    return false;
  }
  host::ScatterShape shape;
  const int64_t tuple = indices.back();
  if (tuple < 1 || tuple > data.rank() ||
      tuple > static_cast<int64_t>(shape.dims.size())) {
    return false;
  }
  shape.tuple = static_cast<int>(tuple);
  shape.count = indices.Count(0, indices.rank() - 1);
  for (int i = 0; i < shape.tuple; ++i) shape.dims[i] = data[i];
  shape.run_bytes = data.Count(shape.tuple, data.rank()) * BitWidth(type) / 8;
  DOVETAIL_RETURN_IF_ERROR(AddScatter(node, builder, shape, *update));
  return true;
}

absl::StatusOr<bool> EmitScatterElementsUpdate(const Node& node,
                                               PlanBuilder& builder) {
  const auto axes = ConstantList(node, 3);
  const ElementType type = node.input(0).type();
  const auto update =
      UpdateOf(node.As<ScatterElementsUpdateAttributes>(), type);
  if (!axes || axes->size() != 1 || !IsTaken(node) || !update.has_value()) {
    return false;
  }
  const Shape data = PlanBuilder::ShapeOf(node.input(0));
  const Shape indices = PlanBuilder::ShapeOf(node.input(1));
  DOVETAIL_ASSIGN_OR_RETURN(const int axis,
                            NormalizeAxis((*axes)[0], data.rank()));
  if (indices.rank() != data.rank()) return false;
  for (int i = 0; i < data.rank(); ++i) {
    if (i != axis && indices[i] > data[i]) return false;
  }
  const int size = BitWidth(type) / 8;
  DOVETAIL_RETURN_IF_ERROR(
      Add(node, builder,
          MakeScatterElementsStep(ElementsShapeOf(data, indices, axis, size),
                                  *update, data.Count() * size,
                                  node.input(1).type() == ElementType::kI64,
                                  node.Describe()),
          /*reads_indices=*/true));
  return true;
}

}  // namespace dovetail::cpu
