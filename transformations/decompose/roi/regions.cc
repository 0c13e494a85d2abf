// ExperimentalDetectronPriorGridGenerator and ExperimentalDetectronTopKROIs.
#include "dovetail/core/ops/detection/detectron/regions.h"

#include <cstdint>
#include <string>
#include <vector>

#include "dovetail/transformations/decompose/roi/rules.h"

namespace dovetail {
namespace {

// The regions with the greatest scores; rows of 0 where there are less.
Replacement TopKRois(NodeBuilder& b, const Node& node) {
  const Value rois = b.input(0), scores = b.input(1);
  const Value most = b.Ints({node.As<TopKRoisAttributes>()->max_rois});
  const Value k = b.Minimum(b.Dim(scores, 0), most);
  const int64_t axis = 0;
  const std::vector<Value> best =
      b.MakeAllLike("TopK", {scores, b.ReshapeTo(k, {})},
                    {{"axis", axis},
                     {"mode", std::string("max")},
                     {"sort", std::string("value")},
                     {"stable", true},
                     {"index_element_type", ElementType::kI64}});
  if (best.size() != 2) return {};
  const Value missing = b.Concat({b.Subtract(most, k), b.Ints({0})});
  return {b.Make("Pad",
                 {b.Gather(rois, best[1], 0), b.Ints({0, 0}), missing,
                  b.Number(rois.type(), 0)},
                 {{"pad_mode", std::string("constant")}})};
}

// Pixels a cell, f32 [1]: the attribute, or those of the image for each cell.
Value StrideOf(NodeBuilder& b, double own, int axis, Value cells) {
  if (own != 0) {
    return b.Unsqueeze(b.Number(ElementType::kF32, own), {0});
  }
  return b.Divide(b.Convert(b.Dim(b.input(2), axis), ElementType::kF32),
                  b.Convert(cells, ElementType::kF32));
}

// The middles of the cells along an axis of the grid, [cells].
Value Middles(NodeBuilder& b, double own, int axis, Value cells) {
  const Value places = b.Convert(b.Counting(cells), ElementType::kF32);
  return b.Multiply(StrideOf(b, own, axis, cells), b.Add(places, 0.5));
}

// Priors [P, 4] moved to the middle of each cell: x to the even numbers, y to
// the odd ones.
Replacement PriorGrid(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<PriorGridAttributes>();
  // Of a smaller grid rows of 0 follow, which nothing asks for in practice.
  if (attributes.h > 0 || attributes.w > 0 || b.type() != ElementType::kF32) {
    return {};
  }
  const Value rows = b.Dim(b.input(1), 2), columns = b.Dim(b.input(1), 3);
  const Value cells = b.Concat({rows, columns});
  const auto grid = [&](Value middles, const std::vector<int64_t>& shape) {
    return b.Unsqueeze(b.Broadcast(b.ReshapeTo(middles, shape), cells), {2});
  };
  const Value x = grid(Middles(b, attributes.stride_x, 3, columns), {1, -1});
  const Value y = grid(Middles(b, attributes.stride_y, 2, rows), {-1, 1});
  // [H, W, 1, 4] with [P, 4]
  const Value shifts = b.Unsqueeze(b.Concat({x, y, x, y}, 2), {2});
  const Value moved = b.Add(shifts, b.input(0));
  return {attributes.flatten ? b.ReshapeTo(moved, {-1, 4}) : moved};
}

constexpr NodeRule kRules[] = {
    {"ExperimentalDetectronPriorGridGenerator", 6,
     "priors + the middles of the cells", &PriorGrid},
    {"ExperimentalDetectronTopKROIs", 6, "Gather(rois, TopK(scores))",
     &TopKRois},
};

}  // namespace

absl::Span<const NodeRule> RegionDecompositions() { return kRules; }

}  // namespace dovetail
