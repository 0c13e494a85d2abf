// ROIAlign and ROIAlignRotated: features of regions by bilinear interpolation
// at a grid of points in each bin, without rounding any coordinate.
#ifndef DOVETAIL_CORE_OPS_ROI_ROI_ALIGN_H_
#define DOVETAIL_CORE_OPS_ROI_ROI_ALIGN_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class RoiAlignMode { kAvg, kMax };
absl::Span<const EnumName> EnumNames(RoiAlignMode);

// Where element 0 of the features lies, and so what a corner means.
enum class RoiAlignedMode {
  kAsymmetric,      // at 0; regions are at least 1 wide and high
  kHalfPixelForNn,  // at 0.5, corners are given on the same axis
  kHalfPixel,       // at 0.5, in the image the corners are of too
};
absl::Span<const EnumName> EnumNames(RoiAlignedMode);

struct RoiAlignV3Attributes : public AttributesOf<RoiAlignV3Attributes> {
  int64_t pooled_h = 0, pooled_w = 0;  // bins
  // Points along each axis of a bin; 0: as many as the bin is long, rounded up.
  int64_t sampling_ratio = 0;
  double spatial_scale = 0;
  RoiAlignMode mode = RoiAlignMode::kAvg;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("pooled_h", pooled_h);
    visitor.Visit("pooled_w", pooled_w);
    visitor.Visit("sampling_ratio", sampling_ratio);
    visitor.Visit("spatial_scale", spatial_scale);
    visitor.Visit("mode", mode);
  }
};

// Version 9.
struct RoiAlignAttributes : public AttributesOf<RoiAlignAttributes> {
  RoiAlignV3Attributes base;
  RoiAlignedMode aligned_mode = RoiAlignedMode::kAsymmetric;

  void Visit(AttributeVisitor& visitor) override {
    base.Visit(visitor);
    visitor.Visit("aligned_mode", aligned_mode);
  }
};

struct RoiAlignRotatedAttributes
    : public AttributesOf<RoiAlignRotatedAttributes> {
  int64_t pooled_h = 0, pooled_w = 0;
  int64_t sampling_ratio = 0;
  double spatial_scale = 0;
  bool clockwise_mode = false;  // which way angles turn

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("pooled_h", pooled_h);
    visitor.Visit("pooled_w", pooled_w);
    visitor.Visit("sampling_ratio", sampling_ratio);
    visitor.Visit("spatial_scale", spatial_scale);
    visitor.Visit("clockwise_mode", clockwise_mode);
  }
};

// What versions 3 and 9 have.
RoiAlignAttributes RoiAlignAttributesOf(const Node& node);

// features [N, C, H, W], regions [R, 4] (x1, y1, x2, y2), indices of their
// images [R] -> [R, C, pooled_h, pooled_w].
absl::Status InferRoiAlign(InferContext& context);
// The same with regions [R, 5]: x and y of the centre, width, height, angle in
// radians.
absl::Status InferRoiAlignRotated(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ROI_ROI_ALIGN_H_
