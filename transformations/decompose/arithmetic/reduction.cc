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

Value ReduceLike(NodeBuilder& b, OpType type, Value x) {
  return b.ReduceAlong(type, x, b.input(1), KeepsDims(b.node()));
}

Replacement L1(NodeBuilder& b, const Node&) {
  const Value x = b.input(0);
  // Abs keeps unsigned integers and is not there for some.
  const bool has_sign = IsFloat(x.type()) || IsSigned(x.type());
  return {ReduceLike(b, "ReduceSum", has_sign ? b.Make("Abs", {x}) : x)};
}

// Squares of integers would overflow: they are of f64.
Replacement L2(NodeBuilder& b, const Node&) {
  const ElementType type = b.type();
  if (!IsFloat(type) && !IsInteger(type)) return {};
  const Value x = b.Convert(b.input(0),
                            IsFloat(type) ? type : ElementType::kF64);
  const Value sum = ReduceLike(b, "ReduceSum", b.Multiply(x, x));
  return {b.Convert(b.Make("Sqrt", {sum}), type)};
}

// How many elements one is made of, as a scalar.
Value ReducedCount(NodeBuilder& b, Value x, const std::vector<int64_t>& axes) {
  if (axes.empty()) return b.Int(1);
  const Value extents = b.Gather(b.ShapeOf(x), b.Ints(axes), 0);
  return b.Reduce("ReduceProd", extents, {0}, /*keep_dims=*/false);
}

// The mean of nothing is 0. Integers' means are cut, of sums in i64.
Replacement Mean(NodeBuilder& b, const Node& node) {
  const ElementType type = b.type();
  const auto axes = KnownInts(node.input(1));
  const PartialShape& shape = node.input(0).shape();
  const bool is_integer = IsInteger(type) && type != ElementType::kU64;
  if ((!IsFloat(type) && !is_integer) || !axes || !shape.rank_known()) {
    return {};
  }
  std::set<int64_t> once;
  for (int64_t axis : *axes) {
    // A scalar has an axis by name, but no extent.
    if (shape.rank() > 0) once.insert(axis < 0 ? axis + shape.rank() : axis);
  }
  const Value x = b.Convert(b.input(0), is_integer ? ElementType::kI64 : type);
  const Value count = b.Maximum(
      ReducedCount(b, x, std::vector<int64_t>(once.begin(), once.end())), 1.0);
  const Value mean =
      b.Make("Divide", {ReduceLike(b, "ReduceSum", x),
                        b.Convert(count, x.type())},
             {{"m_pythondiv", false}});
  return {b.Convert(mean, type)};
}

// Of bytes: those of nothing are 255 and 0, true and false.
Replacement Logical(NodeBuilder& b, OpType type) {
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
