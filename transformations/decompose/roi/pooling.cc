// ROIPooling and PSROIPooling of mode bilinear, for regions [R, 5].
#include <cstdint>
#include <vector>

#include "dovetail/core/ops/roi/roi_pooling.h"
#include "dovetail/transformations/decompose/roi/feature_map.h"
#include "dovetail/transformations/decompose/roi/rois.h"
#include "dovetail/transformations/decompose/roi/rules.h"

namespace dovetail {
namespace {

Value IsInside(NodeBuilder& b, Value position, Value last) {
  return b.Make("LogicalAnd", {b.Binary("GreaterEqual", position, 0.0),
                               b.Binary("LessEqual", position, last)});
}

// `count` positions [R…, count] from `first` to `last`, fractions of `length`;
// a single one in the middle.
Value PointsAcross(NodeBuilder& b, Value first, Value last, Value length,
                   int64_t count) {
  if (count == 1) {
    const Value middle = b.Multiply(b.Add(first, last), 0.5);
    return b.Unsqueeze(b.Multiply(middle, length), {-1});
  }
  const Value step = b.Divide(b.Multiply(b.Subtract(last, first), length),
                              static_cast<double>(count - 1));
  return b.Add(b.Unsqueeze(b.Multiply(first, length), {-1}),
               b.Multiply(b.Unsqueeze(step, {-1}), Steps(b, count)));
}

// The same, where rounding must not put the last one outside.
Value PointsWithin(NodeBuilder& b, Value first, Value last, Value length,
                   int64_t count) {
  const Value points = PointsAcross(b, first, last, length, count);
  if (count == 1) return points;
  return b.Concat({b.Slice(points, 1, 0, count - 1),
                   b.Unsqueeze(b.Multiply(last, length), {1})}, 1);
}

Value And(NodeBuilder& b, Value a, Value c) {
  return b.Make("LogicalAnd", {a, c});
}

Replacement RoiPooling(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<RoiPoolingAttributes>();
  if (attributes.method != RoiPoolingMethod::kBilinear ||
      !b.input(0).shape().rank_known() || BitWidth(b.type()) > 32) {
    return {};
  }
  const FeatureMap map(b, b.input(0));
  const Value height = b.Subtract(map.height(), 1.0);
  const Value width = b.Subtract(map.width(), 1.0);
  const Value y = b.Unsqueeze(
      PointsWithin(b, RoiNumber(b, 2), RoiNumber(b, 4), height,
                   attributes.pooled_h),
      {2});
  const Value x = b.Unsqueeze(
      PointsWithin(b, RoiNumber(b, 1), RoiNumber(b, 3), width,
                   attributes.pooled_w),
      {1});
  const Value counts =
      And(b, And(b, IsInside(b, y, height), IsInside(b, x, width)),
          b.Unsqueeze(IsRoiListed(b), {1, 2}));
  return {b.Transpose(map.At(b.Unsqueeze(RoiImages(b), {1, 2}), y, x, counts),
                      {0, 3, 1, 2})};
}

// Points [R, parts, bins] along an axis: in each part of the region from
// `first` to `last` lies one for each bin.
Value PartPoints(NodeBuilder& b, Value first, Value last, Value length,
                 int64_t parts, int64_t bins) {
  const Value size =
      b.Divide(b.Subtract(last, first), static_cast<double>(parts));
  const Value begin =
      b.Add(b.Unsqueeze(first, {1}),
            b.Multiply(b.Unsqueeze(size, {1}), Steps(b, parts)));
  return PointsAcross(b, begin, b.Add(begin, b.Unsqueeze(size, {1})), length,
                      bins);
}

// Each part has output_dim channels of its own: they become images.
Replacement PsRoiPooling(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<PsRoiPoolingAttributes>();
  const Value features = b.input(0);
  if (attributes.mode != PsRoiPoolingMode::kBilinear ||
      !features.shape().rank_known() || BitWidth(b.type()) > 32) {
    return {};
  }
  const int64_t rows = attributes.spatial_bins_y;
  const int64_t columns = attributes.spatial_bins_x;
  const int64_t bins = attributes.group_size;
  const FeatureMap map(
      b, b.Reshape(features, b.Concat({b.Ints({-1, attributes.output_dim}),
                                       b.Dims(features, 2, 4)})));
  const Value height = b.Subtract(map.height(), 1.0);
  const Value width = b.Subtract(map.width(), 1.0);
  const auto scaled = [&](int i) {
    return b.Multiply(RoiNumber(b, i), attributes.spatial_scale);
  };
  // [R, parts, parts, bins, bins]
  const Value y = b.Unsqueeze(
      PartPoints(b, scaled(2), scaled(4), height, rows, bins), {2, 4});
  const Value x = b.Unsqueeze(
      PartPoints(b, scaled(1), scaled(3), width, columns, bins), {1, 3});
  const Value part = b.ReshapeTo(b.Counting(b.Ints({rows * columns})),
                                 {rows, columns, 1, 1});
  const Value images = b.Add(
      b.Multiply(b.Unsqueeze(RoiImages(b), {1, 2, 3, 4}),
                 static_cast<double>(rows * columns)),
      part);
  const Value counts =
      And(b, And(b, IsInside(b, y, height), IsInside(b, x, width)),
          b.Unsqueeze(IsRoiListed(b), {1, 2, 3, 4}));
  const Value sum =
      b.Reduce("ReduceSum", map.At(images, y, x, counts), {1, 2}, false);
  return {b.Transpose(b.Divide(sum, static_cast<double>(rows * columns)),
                      {0, 3, 1, 2})};
}

constexpr NodeRule kRules[] = {
    {"PSROIPooling", 0, "means of a point in each part, if bilinear",
     &PsRoiPooling},
    {"ROIPooling", 0, "a point for each bin, if bilinear", &RoiPooling},
};

}  // namespace

absl::Span<const NodeRule> RoiPoolingDecompositions() { return kRules; }

}  // namespace dovetail
