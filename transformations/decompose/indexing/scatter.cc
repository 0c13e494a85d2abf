// ScatterUpdate, ScatterElementsUpdate and SegmentMax by ScatterNDUpdate.
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "dovetail/core/ops/embedding/segment_max.h"
#include "dovetail/core/ops/indexing/scatter/scatter_elements_update.h"
#include "dovetail/core/tensor/shapes/axis_order.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/indexing/flat_index.h"
#include "dovetail/transformations/decompose/indexing/rules.h"

namespace dovetail {
namespace {

Value ScatterND(NodeBuilder& b, Value data, Value indices, Value updates,
                const std::string& reduction = "none") {
  return b.Make("ScatterNDUpdate", {data, indices, updates},
                {{"reduction", reduction}});
}

// ---- ScatterUpdate ----

// Slices along the first axis; others are brought there.
Replacement ScatterUpdate(NodeBuilder& b, const Node&) {
  const Value data = b.input(0), indices = b.input(1), updates = b.input(2);
  const auto number = KnownInt(b.input(3));
  if (!data.shape().rank_known() || !indices.shape().rank_known() ||
      !number.has_value()) {
    return {};
  }
  const int rank = data.shape().rank();
  const int own = indices.shape().rank();
  const int axis = static_cast<int>(*number < 0 ? *number + rank : *number);
  // Updates have the axes of the indices in place of `axis`.
  std::vector<int64_t> updates_order;
  for (int i = 0; i < own; ++i) updates_order.push_back(axis + i);
  for (int i = 0; i < rank - 1 + own; ++i) {
    if (i < axis || i >= axis + own) updates_order.push_back(i);
  }
  const auto order = MoveAxis(rank, axis, 0);
  const Value first =
      ScatterND(b, InOrder(b, data, order), b.Unsqueeze(indices, {-1}),
                InOrder(b, updates, updates_order));
  return {InOrder(b, first, InverseOrder(order))};
}

// ---- ScatterElementsUpdate, on all elements as one axis ----

struct FlatScatter {
  Value data;     // [n]
  Value numbers;  // [m, 1]
  Value updates;  // [m]
};

// What elements hold that have updates but do not take part themselves: what
// changes nothing, or, for minima and maxima, one of the updates.
Value WithoutInitial(NodeBuilder& b, const FlatScatter& flat,
                     ScatterReduction reduction) {
  Value updates = flat.updates;
  if (reduction == ScatterReduction::kSum ||
      reduction == ScatterReduction::kMean) {
    updates = b.Broadcast(b.Number(updates.type(), 0), b.ShapeOf(updates));
  } else if (reduction == ScatterReduction::kProd) {
    updates = b.Broadcast(b.Number(updates.type(), 1), b.ShapeOf(updates));
  }
  return ScatterND(b, flat.data, flat.numbers, updates);
}

// The sum divided by how many there are; elements without updates stay.
Value ScatterMean(NodeBuilder& b, const FlatScatter& flat, Value data,
                  bool use_data) {
  const ElementType type = data.type();
  const Value sum = ScatterND(b, data, flat.numbers, flat.updates, "sum");
  const Value ones = b.Broadcast(b.Number(type, 1), b.ShapeOf(flat.updates));
  const Value none =
      b.Broadcast(b.Number(type, use_data ? 1 : 0), b.ShapeOf(data));
  const Value count = ScatterND(b, none, flat.numbers, ones, "sum");
  return b.Divide(sum, b.Maximum(count, 1.0));
}

std::string NameOf(ScatterReduction reduction) {
  switch (reduction) {
    case ScatterReduction::kSum: return "sum";
    case ScatterReduction::kProd: return "prod";
    case ScatterReduction::kMin: return "min";
    case ScatterReduction::kMax: return "max";
    default: return "none";
  }
}

Replacement ScatterElementsUpdate(NodeBuilder& b, const Node& node) {
  const Value data = b.input(0), indices = b.input(1);
  const auto number = KnownInt(b.input(3));
  if (!data.shape().rank_known() || !number.has_value()) return {};
  const auto* attributes = node.As<ScatterElementsUpdateAttributes>();
  const ScatterReduction reduction = attributes == nullptr
                                         ? ScatterReduction::kNone
                                         : attributes->reduction;
  // Sums of truth values and means of low-bit integers are something else.
  if (reduction != ScatterReduction::kNone &&
      (b.type() == ElementType::kBoolean || BitWidth(b.type()) < 16)) {
    return {};
  }
  const int rank = data.shape().rank();
  const int axis = static_cast<int>(*number < 0 ? *number + rank : *number);
  const FlatScatter flat = {
      b.ReshapeTo(data, {-1}),
      b.ReshapeTo(ElementNumbers(b, indices, data, rank, axis), {-1, 1}),
      b.ReshapeTo(b.input(2), {-1})};
  const bool use_data = attributes == nullptr || attributes->use_init_val ||
                        reduction == ScatterReduction::kNone;
  const Value first =
      use_data ? flat.data : WithoutInitial(b, flat, reduction);
  const Value y =
      reduction == ScatterReduction::kMean
          ? ScatterMean(b, flat, first, use_data)
          : ScatterND(b, first, flat.numbers, flat.updates, NameOf(reduction));
  return {b.Reshape(y, b.ShapeOf(data))};
}

// ---- SegmentMax ----

// How many segments there are: as many as asked for, or up to the last one.
Value SegmentCount(NodeBuilder& b, Value ids) {
  if (b.input(2)) {
    return b.Convert(b.ReshapeTo(b.input(2), {1}), ElementType::kI64);
  }
  const Value none = b.Ints({-1});
  const Value last = b.Reduce("ReduceMax", b.Concat({ids, none}), {0});
  return b.Add(last, 1.0);
}

// The least number of a type that is not infinite; nothing for rare types.
std::optional<double> LeastOf(ElementType type) {
  switch (type) {
    case ElementType::kF64: return std::numeric_limits<double>::lowest();
    case ElementType::kF32: return std::numeric_limits<float>::lowest();
    case ElementType::kF16: return -65504.0;
    case ElementType::kBf16: return -0x1.fep127;
    case ElementType::kI8:
    case ElementType::kI16:
    case ElementType::kI32:
    case ElementType::kI64: return -std::ldexp(1.0, BitWidth(type) - 1);
    case ElementType::kU8:
    case ElementType::kU16:
    case ElementType::kU32:
    case ElementType::kU64: return 0.0;
    default: return std::nullopt;
  }
}

// Rows into a table of the least number there is; what is beyond the last
// segment goes to a row of its own, which is cut off.
Replacement SegmentMax(NodeBuilder& b, const Node& node) {
  const Value data = b.input(0);
  const ElementType type = data.type();
  const auto least = LeastOf(type);
  if (!data.shape().rank_known() || !least.has_value()) return {};
  const Value ids = b.Convert(b.input(1), ElementType::kI64);
  const Value count = SegmentCount(b, ids);
  const Value rows = b.Unsqueeze(b.Minimum(ids, count), {1});
  const Value rest = b.Slice(b.ShapeOf(data), 0, 1, NodeBuilder::kEnd);
  const Value shape = b.Concat({b.Add(count, 1.0), rest});
  Value y = ScatterND(b, b.Broadcast(b.Number(type, *least), shape), rows, data,
                      "max");
  if (node.As<SegmentMaxAttributes>()->fill_mode == FillMode::kZero) {
    const Value is_empty = ScatterND(
        b, b.Broadcast(b.Number(ElementType::kBoolean, 1), shape), rows,
        b.Broadcast(b.Number(ElementType::kBoolean, 0), b.ShapeOf(data)));
    y = b.Select(is_empty, 0.0, y);
  }
  return {b.Slice(y, 0, b.Ints({0}), count)};
}

constexpr NodeRule kRules[] = {
    {"ScatterUpdate", 3, "ScatterNDUpdate along the first axis",
     &ScatterUpdate},
    {"ScatterElementsUpdate", 3, "ScatterNDUpdate of all elements as one axis",
     &ScatterElementsUpdate},
    {"ScatterElementsUpdate", 12,
     "ScatterNDUpdate of all elements as one axis", &ScatterElementsUpdate},
    {"SegmentMax", 16, "ScatterNDUpdate of maxima", &SegmentMax},
};

}  // namespace

absl::Span<const NodeRule> ScatterDecompositions() { return kRules; }

}  // namespace dovetail
