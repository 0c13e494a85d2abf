// Bucketize, SearchSorted and CumSum by comparisons and sums.
#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/ops/indexing/ordering/bucketize.h"
#include "dovetail/core/ops/indexing/ordering/cum_sum.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/indexing/rules.h"

namespace dovetail {
namespace {

// ---- Searching: how many elements of a sorted list come before a value ----

// A type that holds the elements of both.
ElementType CommonType(ElementType a, ElementType b) {
  if (a == b) return a;
  return IsInteger(a) && IsInteger(b) ? ElementType::kI64 : ElementType::kF64;
}

// For each of values [..., V] how many of lists [..., L] are less, or, with
// `after`, are not greater; NaN is greater than all.
Value CountBefore(NodeBuilder& b, Value lists, Value values, bool after,
                  ElementType type) {
  const ElementType common = CommonType(lists.type(), values.type());
  const Value list = b.Convert(lists, common);
  const Value value = b.Unsqueeze(b.Convert(values, common), {-1});
  const Value is_before =
      after ? b.Make("LogicalNot", {b.Binary("Less", value, list)})
            : b.Binary("Less", list, value);
  return b.Reduce("ReduceSum", b.Convert(is_before, type), {-1}, false);
}

Replacement Bucketize(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<BucketizeAttributes>();
  return {CountBefore(b, b.input(1), b.input(0), !attributes.with_right_bound,
                      node.port().type)};
}

Replacement SearchSorted(NodeBuilder& b, const Node& node) {
  Value lists = b.input(0);
  if (!lists.shape().rank_known()) return {};
  // A single list serves all values.
  if (lists.shape().rank() > 1) lists = b.Unsqueeze(lists, {-2});
  const bool after = node.As<SearchSortedAttributes>()->right_mode;
  return {CountBefore(b, lists, b.input(1), after, node.port().type)};
}

// ---- CumSum ----

// The elements `by` places along the axis from the beginning, or, in reverse,
// from the end; 0 for those that come from outside. Extents stay.
Value Shift(NodeBuilder& b, Value x, int axis, int64_t by, bool reverse) {
  const int rank = x.shape().rank();
  std::vector<int64_t> none(rank, 0), some(rank, 0);
  some[axis] = by;
  const Value kept = reverse ? b.Slice(x, axis, by, NodeBuilder::kEnd)
                             : b.Slice(x, axis, 0, -by);
  const Value before = b.Ints(reverse ? none : some);
  const Value after = b.Ints(reverse ? some : none);
  return b.Make("Pad", {kept, before, after, b.Number(x.type(), 0)},
                {{"pad_mode", std::string("constant")}});
}

// Doubles the number of elements that are summed up until it is all of them
// (Hillis and Steele, "Data parallel algorithms", 1986). Sums take in what they
// should only, so that infinity and NaN spread no further than in CumSum.
Replacement CumSum(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<CumSumAttributes>();
  Value x = b.input(0);
  const auto number = b.input(1) ? KnownInt(b.input(1)) : int64_t{0};
  if (!x.shape().rank_known() || !number.has_value()) return {};
  const int rank = x.shape().rank();
  const int axis = static_cast<int>(*number < 0 ? *number + rank : *number);
  if (axis < 0 || axis >= rank) return {};
  const Dimension extent = x.shape()[axis];
  if (!extent.is_static() || extent.value() == 0) return {};
  if (attributes.exclusive) x = Shift(b, x, axis, 1, attributes.reverse);
  for (int64_t by = 1; by < extent.value(); by *= 2) {
    x = b.Add(x, Shift(b, x, axis, by, attributes.reverse));
  }
  return {x};
}

constexpr NodeRule kRules[] = {
    {"Bucketize", 3, "sum(bounds < x)", &Bucketize},
    {"SearchSorted", 15, "sum(list < x)", &SearchSorted},
    {"CumSum", 0, "x + shift(x, 1), + shift of that by 2, 4, …", &CumSum},
};

}  // namespace

absl::Span<const NodeRule> OrderingDecompositions() { return kRules; }

}  // namespace dovetail
