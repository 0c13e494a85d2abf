#include <algorithm>
#include <optional>
#include <vector>

#include "dovetail/core/ops/linear/matmul.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/fusion/common/axes.h"
#include "dovetail/transformations/fusion/common/matching.h"
#include "dovetail/transformations/fusion/linear/rules.h"

namespace dovetail {
namespace {

// Of so few columns a product fills no vector, but with the axes as they were
// its columns are the positions, of which there are many.
constexpr int64_t kFewColumns = 16;

// The axis that a Transpose moves behind all others, which stay in order.
std::optional<int> MovedBehind(const AxisOrder& order) {
  AxisOrder wanted = order;
  std::sort(wanted.begin(), wanted.end());
  const int64_t axis = order.back();
  wanted.erase(wanted.begin() + axis);
  wanted.push_back(axis);
  if (order != wanted) return std::nullopt;
  return static_cast<int>(axis);
}

// MatMul(t(x), w) = t(w' x), where t moves the axis of w' x behind the
// positions. Transposes that follow undo t often: heads that a product mixes
// are an axis in the middle before and behind.
Replacement MultiplyInTheMiddle(NodeBuilder& b, const Node& node) {
  const auto* attributes = node.As<MatMulAttributes>();
  const Node* const transpose = NodeOf(node.input(0), "Transpose");
  const Tensor* const weights = ConstantOf(node.input(1));
  if (attributes == nullptr || attributes->transpose_a ||
      transpose == nullptr || weights == nullptr || weights->rank() != 2) {
    return {};
  }
  const int64_t columns = weights->shape()[attributes->transpose_b ? 0 : 1];
  const auto order = OrderOf(*transpose);
  const auto shape = transpose->input(0).shape().ToShape();
  if (columns >= kFewColumns || !order.has_value() || !shape.ok()) return {};
  const auto axis = MovedBehind(*order);
  const int rank = shape->rank();
  // Of the last two, MatMul reads them as they are.
  if (!axis.has_value() || *axis >= rank - 2) return {};
  const int64_t positions = shape->Count(*axis + 1, rank);
  if (positions < kFewColumns) return {};
  std::vector<int64_t> flat(shape->begin(), shape->begin() + *axis + 1);
  flat.push_back(positions);
  std::vector<int64_t> whole(shape->begin(), shape->end());
  whole[*axis] = columns;
  const Value product =
      b.MatMul(node.input(1), b.ReshapeTo(transpose->input(0), flat),
               !attributes->transpose_b);
  return {b.Transpose(b.ReshapeTo(product, whole), *order)};
}

constexpr NodeRule kRules[] = {
    {"MatMul", 0, "a product along an axis in the middle",
     &MultiplyInTheMiddle},
};

}  // namespace

absl::Span<const NodeRule> MiddleAxisFusions() { return kRules; }

}  // namespace dovetail
