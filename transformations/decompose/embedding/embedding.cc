// EmbeddingBagOffsets, EmbeddingBagPacked and EmbeddingSegmentsSum: rows of a
// table [E, rest…], gathered and added up.
#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/core/ops/embedding/embedding.h"
#include "dovetail/transformations/decompose/embedding/rules.h"

namespace dovetail {
namespace {

// Rows of a table of that rank.
int RestAxes(NodeBuilder& b) { return b.input(0).shape().rank() - 1; }

// x with `count` axes of 1 behind.
Value WithAxesBehind(NodeBuilder& b, Value x, int count) {
  std::vector<int64_t> axes;
  for (int i = 0; i < count; ++i) axes.push_back(-1 - i);
  return axes.empty() ? x : b.Unsqueeze(x, axes);
}

// Rows for the indices, weighed if there are weights.
Value Rows(NodeBuilder& b, int weights) {
  const Value rows = b.Gather(b.input(0), b.input(1), 0);
  if (weights < 0 || !b.input(weights)) return rows;
  return b.Multiply(rows, WithAxesBehind(b, b.input(weights), RestAxes(b)));
}

// Quotients of integers are cut, as those of sums of rows are.
Value Mean(NodeBuilder& b, Value sum, Value count) {
  return b.Make("Divide", {sum, b.Maximum(count, 1.0)},
                {{"m_pythondiv", false}});
}

Replacement Packed(NodeBuilder& b, const Node& node) {
  if (!b.input(0).shape().rank_known()) return {};
  const Value sum = b.Reduce("ReduceSum", Rows(b, 2), {1}, false);
  if (BagReductionOf(node) == BagReduction::kSum) return {sum};
  return {Mean(b, sum, b.Convert(b.ReshapeTo(b.Dim(b.input(1), 1), {}),
                                 b.type()))};
}

// The row of the table that stands for segments without any, or zeros: input
// `input` is its index, or negative.
Value DefaultRow(NodeBuilder& b, int input) {
  const Value index = b.Convert(b.ReshapeTo(b.input(input), {}),
                                ElementType::kI64);
  const Value row = b.Gather(b.input(0), b.Maximum(index, 0.0), 0);
  return b.Select(b.Binary("GreaterEqual", index, 0.0), row, 0.0);
}

// Sums rows [I, rest…] into `count` segments, a vector of one, by the numbers
// `ids`, i64 [I]. Rows of number -1 belong to none.
Value SumSegments(NodeBuilder& b, Value rows, Value ids, Value count,
                  int default_input, bool mean) {
  const int rest = RestAxes(b);
  const Value places = b.Unsqueeze(
      b.Select(b.Binary("Less", ids, 0.0), count, ids), {1});
  // One more for the rows that belong to none.
  const Value all = b.Add(count, 1.0);
  const auto scatter = [&](Value shape, Value updates) {
    const Value zeros = b.Broadcast(b.Number(b.type(), 0), shape);
    const Value sums = b.Make("ScatterNDUpdate", {zeros, places, updates},
                              {{"reduction", std::string("sum")}});
    return b.Slice(sums, 0, b.Ints({0}), count);
  };
  const Value shape = rest == 0 ? all : b.Concat({all, b.Dims(b.input(0), 1)});
  Value sums = scatter(shape, rows);
  const bool has_default = bool(b.input(default_input));
  if (!mean && !has_default) return sums;
  const Value ones = b.Broadcast(b.Number(b.type(), 1), b.ShapeOf(ids));
  const Value sizes = WithAxesBehind(b, scatter(all, ones), rest);
  if (mean) sums = Mean(b, sums, sizes);
  if (!has_default) return sums;
  return b.Select(b.Binary("Equal", sizes, 0.0), DefaultRow(b, default_input),
                  sums);
}

// The bag of index i is the last that does not begin behind it.
Replacement Offsets(NodeBuilder& b, const Node& node) {
  if (!b.input(0).shape().rank_known()) return {};
  const Value offsets = b.Convert(b.input(2), ElementType::kI64);
  const Value place = b.Unsqueeze(b.Counting(b.Dim(b.input(1), 0)), {1});
  const Value begun = b.Convert(b.Binary("LessEqual", offsets, place),
                                ElementType::kI64);
  const Value ids =
      b.Subtract(b.Reduce("ReduceSum", begun, {1}, false), 1.0);
  return {SumSegments(b, Rows(b, 4), ids, b.Dim(offsets, 0), 3,
                      BagReductionOf(node) == BagReduction::kMean)};
}

Replacement Segments(NodeBuilder& b, const Node&) {
  if (!b.input(0).shape().rank_known()) return {};
  const Value count =
      b.Convert(b.ReshapeTo(b.input(3), {1}), ElementType::kI64);
  const Value ids = b.Convert(b.input(2), ElementType::kI64);
  return {SumSegments(b, Rows(b, 5), ids, count, 4, /*mean=*/false)};
}

constexpr absl::string_view kBags = "sums of Gather by ScatterNDUpdate";

constexpr NodeRule kRules[] = {
    {"EmbeddingBagOffsets", 15, kBags, &Offsets},
    {"EmbeddingBagOffsetsSum", 3, kBags, &Offsets},
    {"EmbeddingBagPacked", 15, "ReduceSum(Gather) along the bag", &Packed},
    {"EmbeddingBagPackedSum", 3, "ReduceSum(Gather) along the bag", &Packed},
    {"EmbeddingSegmentsSum", 3, kBags, &Segments},
};

}  // namespace

absl::Span<const NodeRule> EmbeddingDecompositions() { return kRules; }

}  // namespace dovetail
