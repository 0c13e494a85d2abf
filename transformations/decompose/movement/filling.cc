#include <cstdint>
#include <vector>

#include "dovetail/core/ops/indexing/ordering/one_hot.h"
#include "dovetail/core/ops/shape_query/eye.h"
#include "dovetail/transformations/decompose/movement/rules.h"

namespace dovetail {
namespace {

// 0 … n - 1 for a single element n of any rank.
Value Numbers(NodeBuilder& b, Value n) {
  const Value scalar = b.Convert(b.ReshapeTo(n, {}), ElementType::kI64);
  return b.Make("Range", {b.Int(0), scalar, b.Int(1)},
                {{"output_type", ElementType::kI64}});
}

// Ones where column - row is the diagonal's number.
Replacement Eye(NodeBuilder& b, const Node& node) {
  const Value rows = b.Unsqueeze(Numbers(b, node.input(0)), {1});
  const Value columns = b.Unsqueeze(Numbers(b, node.input(1)), {0});
  const Value diagonal =
      b.Convert(b.ReshapeTo(node.input(2), {}), ElementType::kI64);
  const Value is_on =
      b.Binary("Equal", b.Subtract(columns, rows), diagonal);
  const Value matrix =
      b.Convert(is_on, node.As<EyeAttributes>()->output_type);
  if (node.input_count() < 4) return {matrix};
  const Value batch = b.Convert(node.input(3), ElementType::kI64);
  return {b.Broadcast(matrix, b.Concat({batch, b.ShapeOf(matrix)}))};
}

// on_value where the number along the axis is the index.
Replacement OneHot(NodeBuilder& b, const Node& node) {
  const PartialShape& shape = node.input(0).shape();
  if (!shape.rank_known()) return {};
  const int64_t rank = shape.rank() + 1;
  int64_t axis = OneHotAxis(node);
  if (axis < 0) axis += rank;
  Value indices = b.Convert(node.input(0), ElementType::kI64);
  const auto* attributes = node.As<OneHot16Attributes>();
  if (attributes != nullptr && attributes->negative_indices_mode ==
                                   NegativeIndices::kNormalize) {
    const Value depth =
        b.Convert(b.ReshapeTo(node.input(1), {}), ElementType::kI64);
    indices = b.Select(b.Binary("Less", indices, 0.0),
                       b.Add(indices, depth), indices);
  }
  std::vector<int64_t> others;
  for (int64_t i = axis + 1; i < rank; ++i) others.push_back(i - axis);
  Value numbers = Numbers(b, node.input(1));
  if (!others.empty()) numbers = b.Unsqueeze(numbers, others);
  const Value is_on =
      b.Binary("Equal", b.Unsqueeze(indices, {axis}), numbers);
  return {b.Select(is_on, b.ReshapeTo(node.input(2), {}),
                   b.ReshapeTo(node.input(3), {}))};
}

constexpr NodeRule kRules[] = {
    {"Eye", 9, "column - row = diagonal", &Eye},
    {"OneHot", NodeRule::kAnyVersion, "index = number ? on : off", &OneHot},
};

}  // namespace

absl::Span<const NodeRule> FillingDecompositions() { return kRules; }

}  // namespace dovetail
