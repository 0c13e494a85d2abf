// ROIAlign and its like, with the same points in each bin. R regions, bins of
// pooled_h rows and pooled_w columns, s * s points a bin.
#include <cmath>
#include <cstdint>
#include <vector>

#include "dovetail/core/ops/roi/roi_align.h"
#include "dovetail/core/ops/roi/roi_feature_extractor.h"
#include "dovetail/transformations/decompose/roi/feature_map.h"
#include "dovetail/transformations/decompose/roi/rules.h"

namespace dovetail {
namespace {

Value AsFloat(NodeBuilder& b, Value x) {
  return b.Convert(x, ElementType::kF32);
}

// Number `i` of each region, f32 [R].
Value Corner(NodeBuilder& b, Value rois, int64_t i) {
  return b.Gather(AsFloat(b, rois), b.Int(i), 1);
}

// Whether interpolation reaches a position: within one element of those that
// there are.
Value IsNear(NodeBuilder& b, Value position, Value extent) {
  return b.Make("LogicalAnd", {b.Binary("GreaterEqual", position, -1.0),
                               b.Binary("LessEqual", position, extent)});
}

// Positions of the points of all bins along an axis: [R, bins * s] for bins of
// length `size` [R] from `start` [R] on.
Value PointsAlong(NodeBuilder& b, Value start, Value size, int64_t bins,
                  int64_t s) {
  const Value first = b.Unsqueeze(start, {1, 2});
  const Value length = b.Unsqueeze(size, {1, 2});
  const Value begin = b.Add(
      first, b.Multiply(b.Unsqueeze(Steps(b, bins), {1}), length));
  const Value step = b.Divide(length, static_cast<double>(s));
  const Value points = b.Add(begin, b.Multiply(step, Steps(b, s, 0.5)));
  return b.ReshapeTo(points, {-1, bins * s});
}

// The shape of the bins of a node.
struct Grid {
  int64_t rows, columns, s;
};

// Values at points [R, rows * s, columns * s, C] as one for each bin,
// [R, C, rows, columns].
Value PoolBins(NodeBuilder& b, Value values, Value channels, const Grid& grid,
               RoiAlignMode mode) {
  const Value bins = b.Reshape(
      values, b.Concat({b.Ints({-1, grid.rows, grid.s, grid.columns, grid.s}),
                        channels}));
  const bool is_mean = mode == RoiAlignMode::kAvg;
  Value pooled = b.Reduce(is_mean ? OpType("ReduceSum") : OpType("ReduceMax"),
                          bins, {2, 4}, false);
  // The largest of the points and 0.
  pooled = is_mean
               ? b.Divide(pooled, static_cast<double>(grid.s * grid.s))
               : b.Maximum(pooled, 0.0);
  return b.Transpose(pooled, {0, 3, 1, 2});
}

// Points of rows y [R, rows * s] and columns x [R, columns * s].
Value PoolGrid(NodeBuilder& b, Value features, Value images, Value y, Value x,
               const Grid& grid, RoiAlignMode mode) {
  const FeatureMap map(b, features);
  const Value rows = b.Unsqueeze(y, {2}), columns = b.Unsqueeze(x, {1});
  const Value counts =
      b.Make("LogicalAnd", {IsNear(b, rows, map.height()),
                            IsNear(b, columns, map.width())});
  const Value values =
      map.At(b.Unsqueeze(images, {1, 2}), rows, columns, counts);
  return PoolBins(b, values, b.Dim(features, 1), grid, mode);
}

bool IsSampled(NodeBuilder& b, Value features, int64_t ratio) {
  return ratio > 0 && features.shape().rank_known() &&
         BitWidth(b.type()) <= 32;
}

Value RoiAlignPoints(NodeBuilder& b, const RoiAlignAttributes& attributes,
                     int first, int64_t bins) {
  const bool aligned = attributes.aligned_mode != RoiAlignedMode::kAsymmetric;
  const double before =
      attributes.aligned_mode == RoiAlignedMode::kHalfPixel ? 0.5 : 0;
  const auto side = [&](int i) {
    return b.Multiply(b.Add(Corner(b, b.input(1), i), before),
                      attributes.base.spatial_scale);
  };
  const Value start = b.Add(side(first), aligned ? -0.5 : 0.0);
  Value length =
      b.Subtract(b.Add(side(first + 2), aligned ? -0.5 : 0.0), start);
  if (!aligned) length = b.Maximum(length, 1.0);
  return PointsAlong(b, start, b.Divide(length, static_cast<double>(bins)),
                     bins, attributes.base.sampling_ratio);
}

Replacement RoiAlign(NodeBuilder& b, const Node& node) {
  const RoiAlignAttributes attributes = RoiAlignAttributesOf(node);
  const RoiAlignV3Attributes& base = attributes.base;
  if (!IsSampled(b, b.input(0), base.sampling_ratio)) return {};
  const Grid grid = {base.pooled_h, base.pooled_w, base.sampling_ratio};
  return {PoolGrid(b, b.input(0), b.Convert(b.input(2), ElementType::kI64),
                   RoiAlignPoints(b, attributes, 1, grid.rows),
                   RoiAlignPoints(b, attributes, 0, grid.columns), grid,
                   base.mode)};
}

// The rectangle's own axes begin in its centre: v along its height, u along its
// width. y = v cos - u sin + y0, x = v sin + u cos + x0.
Replacement RoiAlignRotated(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<RoiAlignRotatedAttributes>();
  const int64_t s = attributes.sampling_ratio;
  if (!IsSampled(b, b.input(0), s)) return {};
  const Grid grid = {attributes.pooled_h, attributes.pooled_w, s};
  const auto number = [&](int i) { return Corner(b, b.input(1), i); };
  const auto scaled = [&](int i) {
    return b.Multiply(number(i), attributes.spatial_scale);
  };
  const auto along = [&](Value length, int64_t bins) {
    return PointsAlong(b, b.Divide(length, -2.0),
                       b.Divide(length, static_cast<double>(bins)), bins, s);
  };
  const auto in_front = [&](Value x) { return b.Unsqueeze(x, {1, 2}); };
  const Value v = b.Unsqueeze(along(scaled(3), grid.rows), {2});
  const Value u = b.Unsqueeze(along(scaled(2), grid.columns), {1});
  const Value turned = number(4);
  const Value angle = in_front(
      attributes.clockwise_mode ? b.Make("Negative", {turned}) : turned);
  const Value cos = b.Make("Cos", {angle}), sin = b.Make("Sin", {angle});
  const Value y = b.Add(b.Subtract(b.Multiply(v, cos), b.Multiply(u, sin)),
                        in_front(b.Subtract(scaled(1), 0.5)));
  const Value x = b.Add(b.Add(b.Multiply(v, sin), b.Multiply(u, cos)),
                        in_front(b.Subtract(scaled(0), 0.5)));
  const FeatureMap map(b, b.input(0));
  const Value counts = b.Make("LogicalAnd", {IsNear(b, y, map.height()),
                                             IsNear(b, x, map.width())});
  const Value images =
      in_front(b.Convert(b.input(2), ElementType::kI64));
  return {PoolBins(b, map.At(images, y, x, counts), b.Dim(b.input(0), 1), grid,
                   RoiAlignMode::kAvg)};
}

// ---- ExperimentalDetectronROIFeatureExtractor ----

// The level of each region, [R]: Lin et al., "Feature Pyramid Networks" (2017),
// equation 1, floor(2 + log2(sqrt(area) / 224 + 1e-6)), as the number of powers
// of 2 that are reached.
Value LevelsOf(NodeBuilder& b, Value area, int64_t levels) {
  constexpr double kTrainedSide = 224;
  const Value side =
      b.Add(b.Divide(b.Make("Sqrt", {area}), kTrainedSide), 1e-6);
  Value level = b.Convert(b.Binary("Less", side, 0.0), ElementType::kI32);
  for (int64_t i = 1; i < levels; ++i) {
    const double power = std::ldexp(1.0, static_cast<int>(i) - 2);
    level = b.Add(level, b.Convert(b.Binary("GreaterEqual", side, power),
                                   ElementType::kI32));
  }
  return level;
}

Value ExtractorPoints(NodeBuilder& b,
                      const RoiFeatureExtractorAttributes& attributes,
                      int64_t scale, int first) {
  const double shift = attributes.aligned ? 0.5 : 0;
  const double factor = 1.0f / static_cast<float>(scale);
  const auto side = [&](int i) {
    return b.Subtract(b.Multiply(Corner(b, b.input(0), i), factor), shift);
  };
  const Value start = side(first);
  const Value length = b.Maximum(b.Subtract(side(first + 2), start), 1.0);
  const int64_t bins = attributes.output_size;
  return PointsAlong(b, start, b.Divide(length, static_cast<double>(bins)),
                     bins, attributes.sampling_ratio);
}

// All levels for all regions, of which each takes one.
Replacement FeatureExtractor(NodeBuilder& b, const Node& node) {
  const auto& attributes = *node.As<RoiFeatureExtractorAttributes>();
  const Value rois = b.input(0);
  const int64_t bins = attributes.output_size;
  const int64_t levels = b.input_count() - 1;
  if (levels != static_cast<int64_t>(attributes.pyramid_scales.size())) {
    return {};
  }
  const Grid grid = {bins, bins, attributes.sampling_ratio};
  const auto side = [&](int i) {
    return b.Subtract(Corner(b, rois, i + 2), Corner(b, rois, i));
  };
  const Value area = b.Multiply(side(0), side(1));
  const auto behind = [&](Value x) { return b.Unsqueeze(x, {1, 2, 3}); };
  const Value level = behind(LevelsOf(b, area, levels));
  Value y;
  for (int64_t i = 0; i < levels; ++i) {
    const Value features = b.input(static_cast<int>(i) + 1);
    if (!IsSampled(b, features, attributes.sampling_ratio)) return {};
    const int64_t scale = attributes.pyramid_scales[i];
    const Value images =
        b.Broadcast(b.Int(0), b.Dim(rois, 0));
    const Value pooled =
        PoolGrid(b, features, images, ExtractorPoints(b, attributes, scale, 1),
                 ExtractorPoints(b, attributes, scale, 0), grid,
                 RoiAlignMode::kAvg);
    const double number = static_cast<double>(i);
    y = y ? b.Select(b.Binary("Equal", level, number), pooled, y) : pooled;
  }
  const Value has_area = behind(b.Binary("Greater", area, 0.0));
  return {b.Select(has_area, y, 0.0), rois};
}

constexpr NodeRule kRules[] = {
    {"ExperimentalDetectronROIFeatureExtractor", 6,
     "ROIAlign of the level of each region", &FeatureExtractor},
    {"ROIAlign", 3, "means of points in bins", &RoiAlign},
    {"ROIAlign", 9, "means of points in bins", &RoiAlign},
    {"ROIAlignRotated", 15, "means of points in turned bins",
     &RoiAlignRotated},
};

}  // namespace

absl::Span<const NodeRule> RoiAlignDecompositions() { return kRules; }

}  // namespace dovetail
