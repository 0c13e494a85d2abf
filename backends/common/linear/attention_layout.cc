#include "dovetail/backends/common/linear/attention_layout.h"

#include "dovetail/backends/common/linear/matrix_shapes.h"
#include "dovetail/backends/common/linear/read_through.h"
#include "dovetail/core/ops/linear/scaled_dot_product_attention.h"

namespace dovetail {
namespace {

bool HasInput(const Node& node, int i) {
  return i < node.input_count() && node.input(i);
}

bool IsF32(Value value) { return value.type() == ElementType::kF32; }

bool HasShape(Value value) { return value.shape().ToShape().ok(); }

// The order of axes, when the last one stays where it is.
std::optional<std::vector<int>> OrderOf(const Node& transpose) {
  if (!transpose.Is("Transpose") || !HasShape(transpose.input(0))) {
    return std::nullopt;
  }
  const Tensor* constant = PlanBuilderBase::ConstantOf(transpose.input(1));
  const int rank = PlanBuilderBase::ShapeOf(transpose.input(0)).rank();
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

int64_t RowStride(const StridedShape& layout) {
  const int axis = layout.shape.rank() - 2;
  return layout.strides[axis];
}

// The Transpose that alone reads the output; null when there is none.
const Node* TransposeBehind(const Node& node, const PlanBuilderBase& builder) {
  const auto& uses = node.port().uses;
  if (uses.size() != 1 || uses[0].input != 0) return nullptr;
  const Node& reader = *uses[0].node;
  if (!OrderOf(reader).has_value() || builder.IsDone(reader)) return nullptr;
  return &reader;
}

// How the output lies: dense, or so that it is dense when transposed.
StridedShape OutputLayout(const Node& node, const Node* transpose) {
  StridedShape layout =
      Dense(PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(node)));
  if (transpose == nullptr) return layout;
  const ElementStrides dense = DenseStrides(
      PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(*transpose)));
  const std::vector<int> order = *OrderOf(*transpose);
  for (size_t i = 0; i < order.size(); ++i) layout.strides[order[i]] = dense[i];
  return layout;
}

// Mask and sink broadcast over the last two axes, too.
AttentionMatrices BroadcastTo(Value value, const Shape& batch) {
  Shape padded = PlanBuilderBase::ShapeOf(value);
  while (padded.rank() < 2) padded.insert(0, 1);
  const StridedShape layout = Dense(padded);
  const int rank = padded.rank();
  return {value, MatrixOffsets(layout, batch),
          padded[rank - 2] == 1 ? 0 : layout.strides[rank - 2],
          padded[rank - 1] == 1 ? 0 : 1};
}

// The axes before a tensor's matrices.
Shape BatchOf(Shape shape) {
  shape.resize(shape.rank() - 2);
  return shape;
}

AttentionMatrices SourceOf(Value value, const Shape& batch,
                           const PlanBuilderBase& builder) {
  const Shape shape = PlanBuilderBase::ShapeOf(value);
  ReadThrough found = FindSource(value, builder);
  if (!HasDenseRows(found)) found = {value, PackedView(shape)};
  const StridedView& view = found.view;
  const StridedShape layout = {view.shape,
                               {view.strides.begin(), view.strides.end()}};
  const std::vector<int64_t> own = MatrixOffsets(layout, BatchOf(view.shape));
  Shape numbers = BatchOf(shape);
  numbers.push_back(1);
  numbers.push_back(1);
  AttentionMatrices matrices = {found.base, {}, RowStride(layout)};
  for (const int64_t number : MatrixOffsets(Dense(numbers), batch)) {
    matrices.offsets.push_back(view.offset + own[static_cast<size_t>(number)]);
  }
  return matrices;
}

}  // namespace

bool IsF32Attention(const Node& node) {
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

AttentionLayout AttentionLayoutOf(const Node& node,
                                  const PlanBuilderBase& builder) {
  const Shape query = PlanBuilderBase::ShapeOf(node.input(0));
  const Shape value = PlanBuilderBase::ShapeOf(node.input(2));
  Shape batch = PlanBuilderBase::ShapeOf(PlanBuilderBase::OutputOf(node));
  AttentionLayout layout;
  layout.queries = batch[batch.rank() - 2];
  layout.keys = value[value.rank() - 2];
  layout.depth = query.back();
  layout.width = batch.back();
  batch.resize(batch.rank() - 2);
  layout.q = SourceOf(node.input(0), batch, builder);
  layout.k = SourceOf(node.input(1), batch, builder);
  layout.v = SourceOf(node.input(2), batch, builder);
  layout.causal = node.As<ScaledDotProductAttentionAttributes>()->causal;
  if (!layout.causal && HasInput(node, 3)) {
    layout.mask = BroadcastTo(node.input(3), batch);
  }
  if (HasInput(node, 5)) layout.sink = BroadcastTo(node.input(5), batch);
  layout.transpose = TransposeBehind(node, builder);
  const StridedShape out = OutputLayout(node, layout.transpose);
  layout.out = {PlanBuilderBase::OutputOf(
                    layout.transpose == nullptr ? node : *layout.transpose),
                MatrixOffsets(out, batch), RowStride(out)};
  return layout;
}

bool IsReadByAttention(const Node& node, const PlanBuilderBase& builder) {
  return IsReadThrough(node, builder, [](const Use& use) {
    return use.input < 3 && IsF32Attention(*use.node);
  });
}

}  // namespace dovetail
