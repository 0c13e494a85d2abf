#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

// So many products are better left to one kernel.
constexpr int64_t kMaxGroups = 4096;

// Where groups end, and how many there are, for a vector of known length.
class Groups {
 public:
  Groups(NodeBuilder& b, Value ends) : b_(b) {
    ends_ = b.Convert(ends, ElementType::kI64);
  }
  Value Begin(int64_t group) {
    return group == 0 ? b_.Ints({0}) : End(group - 1);
  }
  Value End(int64_t group) { return b_.Slice(ends_, 0, group, group + 1); }
  // The part of a matrix that belongs to a group.
  Value Part(Value matrix, int64_t axis, int64_t group) {
    return b_.Slice(matrix, axis, Begin(group), End(group));
  }

 private:
  NodeBuilder& b_;
  Value ends_;
};

std::optional<int64_t> GroupCount(const Node& node) {
  const PartialShape& shape = node.input(2).shape();
  if (!shape.rank_known() || shape.rank() != 1 || shape.is_dynamic() ||
      shape[0].value() < 1 || shape[0].value() > kMaxGroups) {
    return std::nullopt;
  }
  return shape[0].value();
}

// Row `group` of the bias, or all of it in the shape [G, 1, N].
Value WithBias(NodeBuilder& b, Value product, int64_t group) {
  const Value bias = b.input(3);
  return bias ? b.Add(product, b.Slice(bias, 0, group, group + 1)) : product;
}

// Of each group's columns, one product behind the other.
Replacement ByColumns(NodeBuilder& b, const Node& node, int64_t count) {
  Groups groups(b, node.input(2));
  std::vector<Value> products;
  for (int64_t g = 0; g < count; ++g) {
    const Value product =
        b.MatMul(groups.Part(node.input(0), 1, g),
                 groups.Part(node.input(1), 1, g), false, /*transpose_b=*/true);
    products.push_back(b.Unsqueeze(WithBias(b, product, g), {0}));
  }
  return {b.Concat(products, 0)};
}

// Of each group's rows; those behind the last group are 0.
Replacement ByRows(NodeBuilder& b, const Node& node, int64_t count) {
  const Value a = node.input(0);
  Groups groups(b, node.input(2));
  std::vector<Value> rows;
  for (int64_t g = 0; g < count; ++g) {
    const Value weights =
        b.Squeeze(b.Slice(node.input(1), 0, g, g + 1), {0});
    rows.push_back(WithBias(b,
                            b.MatMul(groups.Part(a, 0, g), weights, false,
                                     /*transpose_b=*/true),
                            g));
  }
  const Value left = b.Subtract(b.Dim(a, 0), groups.End(count - 1));
  rows.push_back(b.Broadcast(b.Number(a.type(), 0),
                             b.Concat({left, b.Dim(node.input(1), 1)})));
  return {b.Concat(rows, 0)};
}

Replacement GroupedMatMul(NodeBuilder& b, const Node& node) {
  const PartialShape& left = node.input(0).shape();
  const PartialShape& right = node.input(1).shape();
  if (!left.rank_known() || !right.rank_known()) return {};
  if (left.rank() == 3) {
    const Value product =
        b.MatMul(node.input(0), node.input(1), false, /*transpose_b=*/true);
    const Value bias = b.input(3);
    return {bias ? b.Add(product, b.Unsqueeze(bias, {1})) : product};
  }
  if (node.input_count() < 3) return {};
  const auto count = GroupCount(node);
  if (!count) return {};
  return right.rank() == 2 ? ByColumns(b, node, *count)
                           : ByRows(b, node, *count);
}

constexpr NodeRule kRules[] = {
    {"GroupedMatMul", 17, "MatMul of each group", &GroupedMatMul},
};

}  // namespace

absl::Span<const NodeRule> GroupedMatMulDecompositions() { return kRules; }

}  // namespace dovetail
