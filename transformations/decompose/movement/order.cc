#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/ops/movement/layout/reverse.h"
#include "dovetail/core/ops/movement/layout/reverse_sequence.h"
#include "dovetail/core/ops/movement/slicing/pad.h"
#include "dovetail/core/tensor/shapes/axis_order.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/movement/rules.h"

namespace dovetail {
namespace {

constexpr int64_t kFar = 2147483647;

int64_t FromFront(int64_t axis, int rank) {
  return axis < 0 ? axis + rank : axis;
}

// 0, 1, … n - 1 for a vector with n.
Value Numbers(NodeBuilder& b, Value n) {
  return b.Make("Range", {b.Int(0), b.ReshapeTo(n, {}), b.Int(1)},
                {{"output_type", ElementType::kI64}});
}

// ---- Reverse ----

std::optional<std::vector<int64_t>> ReversedAxes(const Node& node) {
  if (node.As<ReverseAttributes>()->mode == ReverseMode::kIndex) {
    return KnownInts(node.input(1));
  }
  const Tensor* mask = ConstantOf(node.input(1));
  if (mask == nullptr) return std::nullopt;
  std::vector<int64_t> axes;
  for (int64_t i = 0; i < mask->element_count(); ++i) {
    if (mask->ElementAsDouble(i) != 0) axes.push_back(i);
  }
  return axes;
}

Replacement Reverse(NodeBuilder& b, const Node& node) {
  const auto axes = ReversedAxes(node);
  if (!axes) return {};
  Value x = b.input(0);
  for (int64_t axis : *axes) x = b.Slice(x, axis, kFar, -kFar - 1, -1);
  return {x};
}

// ---- ReverseSequence ----

// The axes in another order: `first` and `second` in front.
std::vector<int64_t> InFront(int64_t first, int64_t second, int rank) {
  std::vector<int64_t> order = {first, second};
  for (int i = 0; i < rank; ++i) {
    if (i != first && i != second) order.push_back(i);
  }
  return order;
}

// Element t of a sequence of length n is element n - 1 - t, for t < n.
Value BackwardsWithin(NodeBuilder& b, Value lengths, Value extent) {
  const Value n = b.Unsqueeze(b.Convert(lengths, ElementType::kI64), {1});
  const Value t = b.Unsqueeze(Numbers(b, extent), {0});
  const Value backwards = b.Subtract(b.Subtract(n, 1.0), t);
  return b.Select(b.Binary("Less", t, n), backwards, t);
}

Replacement ReverseSequence(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<ReverseSequenceAttributes>();
  Value x = b.input(0);
  if (!x.shape().rank_known()) return {};
  const int rank = x.shape().rank();
  const int64_t batch = FromFront(attributes.batch_axis, rank);
  const int64_t sequence = FromFront(attributes.seq_axis, rank);
  if (batch == sequence) return {};
  const std::vector<int64_t> order = InFront(batch, sequence, rank);
  const bool is_in_front = std::is_sorted(order.begin(), order.end());
  if (!is_in_front) x = b.Transpose(x, order);
  const Value places = BackwardsWithin(b, node.input(1), b.Dim(x, 1));
  x = b.Make("Gather", {x, places, b.Int(1)}, {{"batch_dims", 1}});
  return {is_in_front ? x : b.Transpose(x, InverseOrder(order))};
}

// ---- Roll ----

// The last `shift` elements come in front.
Value RollAxis(NodeBuilder& b, Value x, Value shift, int64_t axis) {
  const Value extent = b.Dim(x, static_cast<int>(axis));
  const Value by =
      b.Binary("FloorMod", shift, b.Maximum(extent, 1.0));
  const Value cut = b.Subtract(extent, by);
  return b.Concat({b.Slice(x, axis, cut, b.Ints({kFar})),
                   b.Slice(x, axis, b.Ints({0}), cut)},
                  axis);
}

Replacement Roll(NodeBuilder& b, const Node& node) {
  Value x = b.input(0);
  const auto axes = KnownInts(node.input(2));
  const PartialShape& count = node.input(1).shape();
  if (!x.shape().rank_known() || !axes || count.is_dynamic()) return {};
  const Value shifts = b.ReshapeTo(
      b.Convert(node.input(1), ElementType::kI64), {-1});
  const bool is_single = count.ElementCount().value() == 1;
  for (size_t i = 0; i < axes->size(); ++i) {
    const int64_t at = is_single ? 0 : static_cast<int64_t>(i);
    const Value shift = b.Slice(shifts, 0, at, at + 1);
    x = RollAxis(b, x, shift, FromFront((*axes)[i], x.shape().rank()));
  }
  return {x};
}

// ---- Pad ----

// Which element of an axis with n stands at place i, which may be outside.
Value Mirrored(NodeBuilder& b, Value i, Value n, PadMode mode) {
  const Value last = b.Subtract(n, 1.0);
  if (mode == PadMode::kEdge) {
    return b.Maximum(b.Minimum(i, last), 0.0);
  }
  // Reflection at the first element or in front of it, then at the last.
  const double gap = mode == PadMode::kSymmetric ? 1.0 : 0.0;
  const Value before = b.Subtract(-gap, i);
  const Value front = b.Select(b.Binary("Less", i, 0.0), before, i);
  const Value behind = b.Subtract(b.Add(b.Add(last, last), gap), front);
  return b.Select(b.Binary("Less", last, front), behind, front);
}

Value PadAxis(NodeBuilder& b, Value x, int axis, Value begin, Value end,
              PadMode mode) {
  const Value n = b.Dim(x, axis);
  const Value places =
      b.Make("Range",
             {b.ReshapeTo(b.Multiply(begin, -1.0), {}),
              b.ReshapeTo(b.Add(n, end), {}), b.Int(1)},
             {{"output_type", ElementType::kI64}});
  return b.Gather(x, Mirrored(b, places, n, mode), axis);
}

// Modes that repeat elements of the data, one axis after the other.
Replacement Pad(NodeBuilder& b, const Node& node) {
  const PadMode mode = node.As<PadAttributes>()->pad_mode;
  Value x = b.input(0);
  if (mode == PadMode::kConstant || !x.shape().rank_known()) return {};
  const auto begins = KnownInts(node.input(1));
  const auto ends = KnownInts(node.input(2));
  const auto pad = [&](int input, int i) {
    return b.Convert(b.Slice(node.input(input), 0, i, i + 1),
                     ElementType::kI64);
  };
  const int rank = x.shape().rank();
  for (int i = 0; i < rank; ++i) {
    const bool is_none = begins && ends && (*begins)[i] == 0 && (*ends)[i] == 0;
    if (!is_none) x = PadAxis(b, x, i, pad(1, i), pad(2, i), mode);
  }
  return {x};
}

constexpr NodeRule kRules[] = {
    {"Pad", 12, "Gather along each axis, but for constants", &Pad},
    {"Reverse", 1, "Slice by steps of -1", &Reverse},
    {"ReverseSequence", 0, "Gather", &ReverseSequence},
    {"Roll", 7, "Concat of two Slices", &Roll},
};

}  // namespace

absl::Span<const NodeRule> OrderDecompositions() { return kRules; }

}  // namespace dovetail
