#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "dovetail/core/ops/reduction/reduce.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/arithmetic/rules.h"

namespace dovetail {
namespace {

bool KeepsDims(const Node& node) {
  return node.As<ReduceAttributes>()->keep_dims;
}

Value ReduceLike(NodeBuilder& b, absl::string_view type, Value x) {
  return b.ReduceAlong(type, x, b.input(1), KeepsDims(b.node()));
}

Replacement L1(NodeBuilder& b, const Node&) {
  const Value x = b.input(0);
  // Abs keeps unsigned integers and is not there for some.
  const bool has_sign = IsFloat(x.type()) || IsSigned(x.type());
  return {ReduceLike(b, "ReduceSum", has_sign ? b.Make("Abs", {x}) : x)};
}

// Squares of integers would overflow.
Replacement L2(NodeBuilder& b, const Node&) {
  const Value x = b.input(0);
  if (!IsFloat(x.type())) return {};
  return {b.Make("Sqrt", {ReduceLike(b, "ReduceSum", b.Multiply(x, x))})};
}

// How many elements one is made of, as a scalar.
Value ReducedCount(NodeBuilder& b, Value x, const std::vector<int64_t>& axes) {
  if (axes.empty()) return b.Int(1);
  const Value extents = b.Gather(b.ShapeOf(x), b.Ints(axes), 0);
  return b.Reduce("ReduceProd", extents, {0}, /*keep_dims=*/false);
}

// The mean of nothing is 0. Integers' means are cut, their sums wrap.
Replacement Mean(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0);
  const auto axes = KnownInts(node.input(1));
  if (!IsFloat(x.type()) || !axes || !x.shape().rank_known() ||
      x.shape().rank() == 0) {
    return {};
  }
  std::set<int64_t> once;
  for (int64_t axis : *axes) {
    once.insert(axis < 0 ? axis + x.shape().rank() : axis);
  }
  const Value count = b.Maximum(
      ReducedCount(b, x, std::vector<int64_t>(once.begin(), once.end())), 1.0);
  return {b.Divide(ReduceLike(b, "ReduceSum", x), b.Convert(count, x.type()))};
}

// Of bytes: those of nothing are 255 and 0, true and false.
Replacement Logical(NodeBuilder& b, absl::string_view type) {
  const Value bytes = b.Convert(b.input(0), ElementType::kU8);
  return {b.Convert(ReduceLike(b, type, bytes), ElementType::kBoolean)};
}

Replacement LogicalAnd(NodeBuilder& b, const Node&) {
  return Logical(b, "ReduceMin");
}
Replacement LogicalOr(NodeBuilder& b, const Node&) {
  return Logical(b, "ReduceMax");
}

constexpr NodeRule kRules[] = {
    {"ReduceL1", 4, "ReduceSum of abs(x)", &L1},
    {"ReduceL2", 4, "sqrt of the ReduceSum of squares", &L2},
    {"ReduceLogicalAnd", 1, "ReduceMin", &LogicalAnd},
    {"ReduceLogicalOr", 1, "ReduceMax", &LogicalOr},
    {"ReduceMean", 1, "ReduceSum / how many they are", &Mean},
};

}  // namespace

absl::Span<const NodeRule> ReductionDecompositions() { return kRules; }

}  // namespace dovetail
