#include "dovetail/backends/cpu/steps/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/backends/cpu/steps/attention/attention_step.h"
#include "dovetail/backends/cpu/steps/attention/read_through.h"
#include "dovetail/backends/common/linear/matrix_shapes.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/ops/linear/scaled_dot_product_attention.h"

namespace dovetail::cpu {
namespace {

bool HasInput(const Node& node, int i) {
  return i < node.input_count() && node.input(i);
}

bool IsCausal(const Node& node) {
  return node.As<ScaledDotProductAttentionAttributes>()->causal;
}

bool IsF32(Value value) { return value.type() == ElementType::kF32; }

bool HasShape(Value value) { return value.shape().ToShape().ok(); }

// Whether EmitAttention takes it.
bool IsOurs(const Node& node) {
  if (node.As<ScaledDotProductAttentionAttributes>() == nullptr) return false;
  for (int i = 0; i < node.input_count(); ++i) {
    if (!HasInput(node, i)) continue;
    const Value input = node.input(i);
    if (!HasShape(input)) return false;
    const bool is_flags = i == 3 && input.type() == ElementType::kBoolean;
    if (!IsF32(input) && !is_flags) return false;
    if (i < 3 && input.shape().ToShape()->rank() < 2) return false;
    if (input.shape().ToShape()->Count() == 0) return false;
  }
  return node.port().type == ElementType::kF32;
}

// The order of axes, when the last one stays where it is.
std::optional<std::vector<int>> OrderOf(const Node& transpose) {
  if (!transpose.Is("Transpose") || !HasShape(transpose.input(0))) {
    return std::nullopt;
  }
  const Tensor* constant = PlanBuilder::ConstantOf(transpose.input(1));
  const int rank = PlanBuilder::ShapeOf(transpose.input(0)).rank();
  if (constant == nullptr || constant->element_count() != rank || rank < 2) {
    return std::nullopt;
  }
  std::vector<int> order;
  for (int i = 0; i < rank; ++i) {
    const int axis = static_cast<int>(constant->ElementAsDouble(i));
    order.push_back(axis < 0 ? axis + rank : axis);
  }
  if (order.back() != rank - 1) return std::nullopt;
  return order;
}

// Whether all that reads the node's outputs, or what up to `nodes` further nodes
// make of them, is attention, and reads them where they lie.
bool IsReadThrough(const Node& node, const PlanBuilder& builder, int nodes);

bool ReadsThrough(const Use& use, Value value, const PlanBuilder& builder,
                  int nodes) {
  const Node& reader = *use.node;
  if (reader.Is("ScaledDotProductAttention")) {
    return use.input < 3 && IsOurs(reader) &&
           HasDenseRows(FindSource(value, builder));
  }
  return use.input == 0 && nodes > 0 && !builder.IsDone(reader) &&
         IsReadThrough(reader, builder, nodes - 1);
}

bool IsReadThrough(const Node& node, const PlanBuilder& builder, int nodes) {
  if (!node.has_uses()) return false;
  for (int i = 0; i < node.output_count(); ++i) {
    const Value value = PlanBuilder::OutputOf(node, i);
    if (!IsF32(value) || !HasShape(value)) return false;
    if (FindSource(value, builder).base == value) return false;
    for (const Use& use : value.port().uses) {
      if (!ReadsThrough(use, value, builder, nodes)) return false;
    }
  }
  return true;
}

struct Source {
  Operand operand;
  StridedShape layout;
  int64_t offset = 0;
};

absl::StatusOr<Source> ReadSource(Value value, PlanBuilder& builder) {
  ReadThrough found = FindSource(value, builder);
  if (!HasDenseRows(found)) {
    found = {value, PackedView(PlanBuilder::ShapeOf(value))};
  }
  Source source;
  const StridedView& view = found.view;
  source.layout.shape = view.shape;
  source.layout.strides.assign(view.strides.begin(), view.strides.end());
  source.offset = view.offset;
  DOVETAIL_ASSIGN_OR_RETURN(source.operand, builder.ReadPlain(found.base));
  return source;
}

int64_t RowStride(const StridedShape& layout) {
  const int axis = layout.shape.rank() - 2;
  return layout.strides[axis];
}

// The Transpose that alone reads the output; null when there is none.
const Node* TransposeBehind(const Node& node, const PlanBuilder& builder) {
  const auto& uses = node.port().uses;
  if (uses.size() != 1 || uses[0].input != 0) return nullptr;
  const Node& reader = *uses[0].node;
  if (!OrderOf(reader).has_value() || builder.IsDone(reader)) return nullptr;
  return &reader;
}

// How the output lies: dense, or so that it is dense when transposed.
StridedShape OutputLayout(const Node& node, const Node* transpose) {
  StridedShape layout = Dense(PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node)));
  if (transpose == nullptr) return layout;
  const ElementStrides dense =
      DenseStrides(PlanBuilder::ShapeOf(PlanBuilder::OutputOf(*transpose)));
  const std::vector<int> order = *OrderOf(*transpose);
  for (size_t i = 0; i < order.size(); ++i) layout.strides[order[i]] = dense[i];
  return layout;
}

// Mask and sink broadcast over the last two axes, too.
struct BroadcastMatrix {
  std::vector<int64_t> offsets;
  int64_t row_stride = 0, column_stride = 0;
};

BroadcastMatrix BroadcastTo(const Shape& shape, const Shape& batch) {
  Shape padded = shape;
  while (padded.rank() < 2) padded.insert(0, 1);
  const StridedShape layout = Dense(padded);
  const int rank = padded.rank();
  BroadcastMatrix result;
  result.offsets = MatrixOffsets(layout, batch);
  if (padded[rank - 2] != 1) result.row_stride = layout.strides[rank - 2];
  if (padded[rank - 1] != 1) result.column_stride = 1;
  return result;
}

// Mask, scale and sink.
absl::Status ReadOptional(const Node& node, const Shape& batch,
                          PlanBuilder& builder, AttentionStepOptions& options,
                          std::vector<Operand>& inputs) {
  options.has_mask = !options.problem.causal && HasInput(node, 3);
  options.has_scale = HasInput(node, 4);
  options.has_sink = HasInput(node, 5);
  inputs.resize(6);
  if (options.has_mask) {
    const BroadcastMatrix mask =
        BroadcastTo(PlanBuilder::ShapeOf(node.input(3)), batch);
    options.mask_is_boolean = !IsF32(node.input(3));
    options.mask = mask.offsets;
    options.problem.mask.row_stride = mask.row_stride;
    options.problem.mask.column_stride = mask.column_stride;
    DOVETAIL_ASSIGN_OR_RETURN(inputs[3], builder.ReadPlain(node.input(3)));
  }
  if (options.has_scale) {
    DOVETAIL_ASSIGN_OR_RETURN(inputs[4], builder.ReadPlain(node.input(4)));
  }
  if (options.has_sink) {
    const BroadcastMatrix sink =
        BroadcastTo(PlanBuilder::ShapeOf(node.input(5)), batch);
    options.sink = sink.offsets;
    options.problem.sink_stride = sink.row_stride;
    DOVETAIL_ASSIGN_OR_RETURN(inputs[5], builder.ReadPlain(node.input(5)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> EmitViewForAttention(const Node& node,
                                          PlanBuilder& builder) {
  return IsReadThrough(node, builder, kMaxSkipped - 1);
}

absl::StatusOr<bool> EmitAttention(const Node& node, PlanBuilder& builder) {
  if (!IsOurs(node)) return false;
  AttentionStepOptions options;
  options.threads = builder.settings().threads;
  AttentionProblem& problem = options.problem;
  problem.causal = IsCausal(node);
  Shape batch = PlanBuilder::ShapeOf(PlanBuilder::OutputOf(node));
  const int rank = batch.rank();
  problem.queries = batch[rank - 2];
  problem.width = batch[rank - 1];
  batch.resize(rank - 2);

  std::vector<Operand> inputs(3);
  const auto read = [&](int i, VectorRows& rows,
                        std::vector<int64_t>& offsets) -> absl::Status {
    DOVETAIL_ASSIGN_OR_RETURN(const Source source,
                              ReadSource(node.input(i), builder));
    inputs[i] = source.operand;
    rows.stride = RowStride(source.layout);
    offsets = MatrixOffsets(source.layout, batch);
    for (int64_t& offset : offsets) offset += source.offset;
    return absl::OkStatus();
  };
  DOVETAIL_RETURN_IF_ERROR(read(0, problem.q, options.q));
  DOVETAIL_RETURN_IF_ERROR(read(1, problem.k, options.k));
  DOVETAIL_RETURN_IF_ERROR(read(2, problem.v, options.v));
  const Shape query = PlanBuilder::ShapeOf(node.input(0));
  const Shape value = PlanBuilder::ShapeOf(node.input(2));
  problem.depth = query.back();
  problem.keys = value[value.rank() - 2];
  problem.scale = 1 / std::sqrt(static_cast<float>(problem.depth));
  DOVETAIL_RETURN_IF_ERROR(
      ReadOptional(node, batch, builder, options, inputs));

  const Node* const transpose = TransposeBehind(node, builder);
  const StridedShape layout = OutputLayout(node, transpose);
  problem.out_stride = RowStride(layout);
  options.out = MatrixOffsets(layout, batch);
  if (transpose != nullptr) builder.Fuse(*transpose);
  const Operand output = builder.WritePlain(
      PlanBuilder::OutputOf(transpose != nullptr ? *transpose : node));
  const Operand scratch = builder.Scratch(AttentionScratchBytes(options));
  builder.Add(node, "attention_f32", MakeAttentionStep(std::move(options)),
              inputs, {output}, scratch);
  return true;
}

}  // namespace dovetail::cpu
