#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dovetail/core/ops/movement/reshaping/squeeze.h"
#include "dovetail/core/ops/shape_query/broadcast.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/movement/rules.h"

namespace dovetail {
namespace {

// Axes of a tensor of that rank, counted from the front; nothing when they are
// not known or not there.
std::optional<std::vector<int64_t>> KnownAxes(Value axes, int rank) {
  auto known = KnownInts(axes);
  if (!known) return std::nullopt;
  for (int64_t& axis : *known) {
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return std::nullopt;
  }
  return known;
}

bool Has(const std::vector<int64_t>& axes, int64_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// A shape out of parts; that of a scalar when there is none.
Value ShapeOf(NodeBuilder& b, const std::vector<Value>& parts) {
  return parts.empty() ? b.Ints({}) : b.Concat(parts);
}

// Whether an axis that may be squeezed goes; nothing when only the run will
// tell. Inference takes a listed axis that can have extent 1 for one that has.
std::optional<bool> Goes(const Node& node, const Dimension& extent,
                         bool is_listed) {
  if (!extent.Contains(1)) return false;
  const auto* attributes = node.As<SqueezeAttributes>();
  const bool may_stay = attributes != nullptr && attributes->allow_axis_skip;
  if (extent.is_dynamic() && (!is_listed || may_stay)) return std::nullopt;
  return true;
}

Replacement Squeeze(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0);
  const PartialShape& shape = x.shape();
  if (!shape.rank_known()) return {};
  std::optional<std::vector<int64_t>> axes(std::in_place);
  if (node.input_count() > 1) axes = KnownAxes(node.input(1), shape.rank());
  if (!axes) return {};
  const bool is_listed = !axes->empty();
  std::vector<Value> kept;
  for (int i = 0; i < shape.rank(); ++i) {
    const std::optional<bool> goes =
        is_listed && !Has(*axes, i) ? std::optional<bool>(false)
                                    : Goes(node, shape[i], is_listed);
    if (!goes) return {};
    if (!*goes) kept.push_back(b.Dim(x, i));
  }
  return {b.Reshape(x, ShapeOf(b, kept))};
}

Replacement Unsqueeze(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0);
  const PartialShape& output = node.port().shape;
  if (!x.shape().rank_known() || !output.rank_known()) return {};
  const auto axes = KnownAxes(node.input(1), output.rank());
  if (!axes) return {};
  std::vector<Value> extents;
  int axis = 0;
  for (int i = 0; i < output.rank(); ++i) {
    extents.push_back(Has(*axes, i) ? b.Ints({1}) : b.Dim(x, axis++));
  }
  return {b.Reshape(x, ShapeOf(b, extents))};
}

// The last `count` elements of a vector with 1 in front of them for what lacks.
std::vector<Value> Aligned(NodeBuilder& b, Value vector, int length,
                           int count) {
  std::vector<Value> elements(std::max(0, count - length), b.Ints({1}));
  for (int i = std::max(0, length - count); i < length; ++i) {
    elements.push_back(b.Slice(vector, 0, i, i + 1));
  }
  return elements;
}

// [a, b] as [1, a, 1, b], broadcast to [r, a, s, b], as [r * a, s * b]. A
// number of repeats below 0 counts as 0.
Replacement Tile(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0), repeats = node.input(1);
  const PartialShape& shape = x.shape();
  const PartialShape& length = repeats.shape();
  if (!shape.rank_known() || !length.rank_known() || length.rank() != 1 ||
      length.is_dynamic()) {
    return {};
  }
  const int count = static_cast<int>(length[0].value());
  const int rank = std::max(shape.rank(), count);
  const Value counts =
      b.Maximum(b.Convert(repeats, ElementType::kI64), 0.0);
  const std::vector<Value> times = Aligned(b, counts, count, rank);
  const std::vector<Value> extents =
      Aligned(b, b.ShapeOf(x), shape.rank(), rank);
  std::vector<Value> apart, broadcast, together;
  for (int i = 0; i < rank; ++i) {
    apart.insert(apart.end(), {b.Ints({1}), extents[i]});
    broadcast.insert(broadcast.end(), {times[i], extents[i]});
    together.push_back(b.Multiply(times[i], extents[i]));
  }
  const Value repeated =
      b.Broadcast(b.Reshape(x, ShapeOf(b, apart)), ShapeOf(b, broadcast));
  return {b.Reshape(repeated, ShapeOf(b, together))};
}

// ---- Broadcast in other modes than numpy, by that one ----

// Axis i of the data lies along axis axes[i] of the target.
Value AlongAxes(NodeBuilder& b, Value x, const std::vector<int64_t>& axes,
                int target_rank) {
  std::vector<int64_t> others;
  for (int i = 0; i < target_rank; ++i) {
    if (!Has(axes, i)) others.push_back(i);
  }
  return others.empty() ? x : b.Unsqueeze(x, others);
}

Replacement BroadcastAlongAxes(NodeBuilder& b, const Node& node, int rank) {
  const auto axes = KnownAxes(node.input(2), rank);
  if (!axes || !std::is_sorted(axes->begin(), axes->end())) return {};
  const Value x = b.input(0);
  // A single element lies along any axis.
  if (x.shape().rank() != static_cast<int>(axes->size())) return {};
  return {b.Broadcast(AlongAxes(b, x, *axes, rank), node.input(1))};
}

// Where one of the two extents is 1 it is the other.
Replacement BroadcastBothWays(NodeBuilder& b, Value x, Value target,
                              int target_rank) {
  const int rank = std::max(x.shape().rank(), target_rank);
  if (rank == 0) return {b.Broadcast(x, target)};
  const Value own = ShapeOf(b, Aligned(b, b.ShapeOf(x), x.shape().rank(), rank));
  const Value wanted =
      ShapeOf(b, Aligned(b, b.Convert(target, ElementType::kI64), target_rank,
                         rank));
  const Value is_one = b.Binary("Equal", own, 1.0);
  return {b.Broadcast(x, b.Select(is_one, wanted, own))};
}

Replacement Broadcast(NodeBuilder& b, const Node& node) {
  const BroadcastMode mode = node.As<BroadcastAttributes>()->mode;
  const Value x = b.input(0), target = node.input(1);
  const PartialShape& length = target.shape();
  if (!x.shape().rank_known() || !length.rank_known() || length.rank() != 1 ||
      length.is_dynamic()) {
    return {};
  }
  const int rank = static_cast<int>(length[0].value());
  switch (mode) {
    case BroadcastMode::kNumpy:
    case BroadcastMode::kPdpd:
      return {};
    case BroadcastMode::kExplicit:
      return node.input_count() > 2 ? BroadcastAlongAxes(b, node, rank)
                                    : Replacement();
    case BroadcastMode::kBidirectional:
      return BroadcastBothWays(b, x, target, rank);
  }
  return {};
}

constexpr NodeRule kRules[] = {
    {"Broadcast", 3, "Broadcast of mode numpy", &Broadcast},
    {"Squeeze", NodeRule::kAnyVersion, "Reshape", &Squeeze},
    {"Tile", 0, "Broadcast along new axes, Reshape", &Tile},
    {"Unsqueeze", 0, "Reshape", &Unsqueeze},
};

}  // namespace

absl::Span<const NodeRule> ReshapingDecompositions() { return kRules; }

}  // namespace dovetail
