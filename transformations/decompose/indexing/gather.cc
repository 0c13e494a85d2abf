// Gather of batches, GatherElements and GatherND by Gather along a single axis.
#include <cstdint>
#include <vector>

#include "dovetail/core/ops/indexing/gather/gather.h"
#include "dovetail/core/ops/indexing/gather/gather_elements.h"
#include "dovetail/core/ops/indexing/gather/gather_nd.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/indexing/flat_index.h"
#include "dovetail/transformations/decompose/indexing/rules.h"

namespace dovetail {
namespace {

// Whether both have a known rank, as formulas below ask for.
bool RanksKnown(NodeBuilder& b) {
  return b.input(0).shape().rank_known() && b.input(1).shape().rank_known();
}

// Numbers 0, n, 2 n, … of the beginnings of `count` batches of n elements, both
// vectors of one, as [count, 1, …] with `axes` axes in all.
Value BatchBeginnings(NodeBuilder& b, Value count, Value n, int axes) {
  std::vector<int64_t> shape(axes, 1);
  shape[0] = -1;
  return b.ReshapeTo(b.Multiply(b.Counting(count), n), shape);
}

// Data [shared…, n, rest…] and indices [shared…, own…] -> [shared…, own…,
// rest…], with the shared axes and n as one.
Value GatherInBatches(NodeBuilder& b, Value data, Value indices, int shared) {
  const Value shape = b.ShapeOf(data);
  const Value n = b.Dim(data, shared);
  const Value batches = b.Product(b.Dims(data, 0, shared));
  const Value rest = b.Slice(shape, 0, shared + 1, NodeBuilder::kEnd);
  const Value flat = b.Reshape(data, b.Concat({b.Multiply(batches, n), rest}));
  const Value index = FromBeginning(b, indices, n);
  const Value in_batches =
      b.Reshape(index, b.Concat({batches, b.Product(b.Dims(indices, shared))}));
  // What is outside of its batch stays outside of all, where Gather gives 0.
  const Value is_inside =
      b.Make("LogicalAnd", {b.Binary("GreaterEqual", in_batches, 0.0),
                            b.Binary("Less", in_batches, n)});
  const Value number =
      b.Select(is_inside, b.Add(in_batches, BatchBeginnings(b, batches, n, 2)),
               b.Multiply(batches, n));
  const Value found = b.Gather(flat, number, 0);
  return b.Reshape(found, b.Concat({b.ShapeOf(indices), rest}));
}

Replacement Gather(NodeBuilder& b, const Node& node) {
  const auto axis = KnownInt(b.input(2));
  if (!RanksKnown(b) || !axis.has_value()) return {};
  const int rank = b.input(0).shape().rank();
  const int indices_rank = b.input(1).shape().rank();
  const int shared = static_cast<int>(BatchDims(node, indices_rank));
  const int from = static_cast<int>(*axis < 0 ? *axis + rank : *axis);
  if (shared < 1 || shared > indices_rank || shared > from) return {};
  const auto order = MoveAxis(rank, from, shared);
  const Value found = GatherInBatches(b, InOrder(b, b.input(0), order),
                                      b.input(1), shared);
  // [shared…, own…, between…, after…] -> [shared…, between…, own…, after…]
  const int own = indices_rank - shared, between = from - shared;
  std::vector<int64_t> back;
  for (int i = 0; i < shared; ++i) back.push_back(i);
  for (int i = 0; i < between; ++i) back.push_back(shared + own + i);
  for (int i = 0; i < own; ++i) back.push_back(shared + i);
  for (int i = shared + own + between; i < rank - 1 + own; ++i) {
    back.push_back(i);
  }
  return {InOrder(b, found, back)};
}

Replacement GatherElements(NodeBuilder& b, const Node& node) {
  if (!RanksKnown(b)) return {};
  const int rank = b.input(0).shape().rank();
  const int64_t number = node.As<GatherElementsAttributes>()->axis;
  const int axis = static_cast<int>(number < 0 ? number + rank : number);
  const Value numbers =
      ElementNumbers(b, b.input(1), b.input(0), rank, axis);
  return {b.Gather(b.ReshapeTo(b.input(0), {-1}), numbers, 0)};
}

// The numbers of slices for tuples of coordinates, the last axis of `indices`,
// on the axes first, first + 1, … of `data`.
Value TupleNumbers(NodeBuilder& b, Value indices, Value data, int first,
                   int tuple) {
  const Value extents = b.Dims(data, first, first + tuple);
  std::vector<Value> strides;
  for (int i = 0; i < tuple; ++i) strides.push_back(StrideOf(b, extents, i));
  const Value steps =
      b.Multiply(FromBeginning(b, indices, extents), b.Concat(strides));
  return b.Reduce("ReduceSum", steps, {-1}, false);
}

Replacement GatherND(NodeBuilder& b, const Node& node) {
  if (!RanksKnown(b)) return {};
  const Value data = b.input(0), indices = b.input(1);
  const int rank = indices.shape().rank();
  const Dimension last = rank > 0 ? indices.shape()[rank - 1] : Dimension();
  if (!last.is_static() || last.value() < 1) return {};
  const int tuple = static_cast<int>(last.value());
  const int shared =
      static_cast<int>(node.As<GatherNDAttributes>()->batch_dims);
  Value numbers = TupleNumbers(b, indices, data, shared, tuple);
  if (shared > 0) {
    const Value shape = b.Dims(indices, 0, shared);
    const Value first = BatchBeginnings(
        b, b.Product(shape), b.Product(b.Dims(data, shared, shared + tuple)),
        1);
    std::vector<int64_t> others;
    for (int i = shared; i < rank - 1; ++i) others.push_back(i);
    numbers = b.Add(numbers, others.empty()
                                 ? b.Reshape(first, shape)
                                 : b.Unsqueeze(b.Reshape(first, shape),
                                               others));
  }
  const Value rest = b.Slice(b.ShapeOf(data), 0, shared + tuple,
                             NodeBuilder::kEnd);
  const Value flat = b.Reshape(data, b.Concat({b.Ints({-1}), rest}));
  return {b.Gather(flat, numbers, 0)};
}

constexpr NodeRule kRules[] = {
    {"Gather", 8, "Gather of batches as one axis", &Gather},
    {"GatherElements", 6, "Gather of all elements as one axis",
     &GatherElements},
    {"GatherND", 8, "Gather of the indexed axes as one", &GatherND},
};

}  // namespace

absl::Span<const NodeRule> GatherDecompositions() { return kRules; }

}  // namespace dovetail
