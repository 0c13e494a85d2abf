#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "dovetail/core/ops/movement/joining/split.h"
#include "dovetail/core/ops/movement/slicing/strided_slice.h"
#include "dovetail/transformations/common/constants.h"
#include "dovetail/transformations/decompose/movement/rules.h"

namespace dovetail {
namespace {

// Beyond either end of any axis.
constexpr int64_t kFar = 2147483647;

Replacement Split(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0);
  const auto axis = KnownInt(node.input(1));
  const int64_t count = node.As<SplitAttributes>()->num_splits;
  if (!axis || !x.shape().rank_known()) return {};
  const int64_t at = *axis < 0 ? *axis + x.shape().rank() : *axis;
  const Value extent = b.Divide(b.Dim(x, static_cast<int>(at)),
                                static_cast<double>(count));
  std::vector<Value> parts;
  Value begin = b.Ints({0});
  for (int64_t i = 0; i < count; ++i) {
    const Value end = b.Add(begin, extent);
    parts.push_back(b.Slice(x, at, begin, end));
    begin = end;
  }
  return parts;
}

// The part of extent -1 is what the others leave: those behind it count from
// the end.
Replacement VariadicSplit(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0);
  const auto axis = KnownInt(node.input(1));
  const auto extents = KnownInts(node.input(2));
  if (!axis || !extents) return {};
  const auto rest = std::find(extents->begin(), extents->end(), -1);
  int64_t behind = 0;
  if (rest != extents->end()) {
    for (auto it = rest + 1; it != extents->end(); ++it) behind += *it;
  }
  std::vector<Value> parts;
  int64_t begin = 0;
  bool from_end = false;
  for (int64_t extent : *extents) {
    const int64_t end = extent == -1 ? -behind : begin + extent;
    from_end = from_end || extent == -1;
    // A 0 that counts from the end is the end; what is empty begins anywhere.
    const bool is_empty = extent == 0;
    const bool is_last = from_end && end == 0;
    parts.push_back(is_empty ? b.Slice(x, *axis, 0, 0)
                             : b.Slice(x, *axis, begin, is_last ? kFar : end));
    begin = end;
  }
  return parts;
}

// ---- StridedSlice ----

// One number of a vector, as a vector of i64.
Value ElementAt(NodeBuilder& b, Value vector, int i) {
  return b.Convert(b.Slice(vector, 0, i, i + 1), ElementType::kI64);
}

struct Ranges {
  std::vector<Value> starts, stops, steps;
  std::vector<int64_t> axes;
};

void AddRange(NodeBuilder& b, const StridedSliceAxis& part, int64_t step,
              Ranges& ranges) {
  const int64_t first = step > 0 ? 0 : kFar;
  const int64_t last = step > 0 ? kFar : -kFar;
  ranges.starts.push_back(part.from_start
                              ? b.Ints({first})
                              : ElementAt(b, b.input(1), part.element));
  ranges.stops.push_back(part.to_end
                             ? b.Ints({last})
                             : ElementAt(b, b.input(2), part.element));
  ranges.steps.push_back(b.Ints({step}));
  ranges.axes.push_back(part.axis);
}

Value SliceAll(NodeBuilder& b, Value x, const Ranges& ranges) {
  if (ranges.axes.empty()) return x;
  return b.Make("Slice", {x, b.Concat(ranges.starts), b.Concat(ranges.stops),
                          b.Concat(ranges.steps), b.Ints(ranges.axes)});
}

// The number of begin's elements, all of whose strides are known.
std::optional<std::vector<int64_t>> KnownStrides(const Node& node) {
  const PartialShape& length = node.input(1).shape();
  if (!length.rank_known() || length.rank() != 1 || length.is_dynamic()) {
    return std::nullopt;
  }
  if (node.input_count() < 4) {
    return std::vector<int64_t>(length[0].value(), 1);
  }
  const auto strides = KnownInts(node.input(3));
  const bool fits = strides.has_value() &&
                    static_cast<int64_t>(strides->size()) == length[0].value();
  return fits ? strides : std::nullopt;
}

// Slice for the ranges, Gather for the axes of which one element stays, and new
// axes in the end.
Replacement StridedSlice(NodeBuilder& b, const Node& node) {
  using Kind = StridedSliceAxis::Kind;
  Value x = b.input(0);
  const auto strides = KnownStrides(node);
  if (!x.shape().rank_known() || !strides ||
      x.type() == ElementType::kString) {
    return {};
  }
  const auto plan = PlanStridedSlice(*node.As<StridedSliceAttributes>(),
                                     x.shape().rank(),
                                     static_cast<int>(strides->size()));
  if (!plan.ok()) return {};
  Ranges ranges;
  std::vector<int64_t> new_axes;
  int64_t output_axis = 0;
  for (const StridedSliceAxis& part : *plan) {
    if (part.kind == Kind::kRange) {
      AddRange(b, part, (*strides)[part.element], ranges);
    }
    if (part.kind == Kind::kNew) new_axes.push_back(output_axis);
    if (part.kind != Kind::kIndex) ++output_axis;
  }
  x = SliceAll(b, x, ranges);
  for (auto part = plan->rbegin(); part != plan->rend(); ++part) {
    if (part->kind != Kind::kIndex) continue;
    const Value index =
        b.ReshapeTo(ElementAt(b, node.input(1), part->element), {});
    x = b.Gather(x, index, part->axis);
  }
  return {new_axes.empty() ? x : b.Unsqueeze(x, new_axes)};
}

// The slice of the elements' numbers tells where the updates go.
Replacement SliceScatter(NodeBuilder& b, const Node& node) {
  const Value x = b.input(0), updates = node.input(1);
  if (x.shape().rank_known() && x.shape().rank() == 0) return {};
  const Value shape = b.ShapeOf(x);
  const Value count = b.Reduce("ReduceProd", shape, {0}, /*keep_dims=*/false);
  const Value numbers = b.Make("Range", {b.Int(0), count, b.Int(1)},
                               {{"output_type", ElementType::kI64}});
  std::vector<Value> slice = {b.Reshape(numbers, shape)};
  for (int i = 2; i < node.input_count(); ++i) slice.push_back(node.input(i));
  const Value places = b.ReshapeTo(b.Make("Slice", slice), {-1});
  const Value scattered =
      b.Make("ScatterUpdate", {b.ReshapeTo(x, {-1}), places,
                               b.ReshapeTo(updates, {-1}), b.Int(0)});
  return {b.Reshape(scattered, shape)};
}

constexpr NodeRule kRules[] = {
    {"SliceScatter", 15, "ScatterUpdate at a Slice of the numbers",
     &SliceScatter},
    {"Split", 1, "Slices", &Split},
    {"StridedSlice", 1, "Slice, Gather, Unsqueeze", &StridedSlice},
    {"VariadicSplit", 1, "Slices", &VariadicSplit},
};

}  // namespace

absl::Span<const NodeRule> SlicingDecompositions() { return kRules; }

}  // namespace dovetail
