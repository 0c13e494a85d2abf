// ROIPooling, PSROIPooling and DeformablePSROIPooling: a small grid of
// features for each region of interest, by dividing the region into bins.
//
// A region is a row of five numbers: the index of its image in the batch and
// the corners x1, y1, x2, y2. A row with index -1 ends the list, as Proposal
// writes it; the outputs from there on are 0.
#ifndef DOVETAIL_CORE_OPS_ROI_ROI_POOLING_H_
#define DOVETAIL_CORE_OPS_ROI_ROI_POOLING_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class RoiPoolingMethod {
  kMax,       // of the elements in a bin; corners are pixels
  kBilinear,  // one point for each bin; corners are fractions of the map
};
absl::Span<const EnumName> EnumNames(RoiPoolingMethod);

struct RoiPoolingAttributes : public AttributesOf<RoiPoolingAttributes> {
  int64_t pooled_h = 0, pooled_w = 0;  // bins
  double spatial_scale = 0;            // of corners, where they are pixels
  RoiPoolingMethod method = RoiPoolingMethod::kMax;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("pooled_h", pooled_h);
    visitor.Visit("pooled_w", pooled_w);
    visitor.Visit("spatial_scale", spatial_scale);
    visitor.Visit("method", method);
  }
};

enum class PsRoiPoolingMode {
  kAverage,   // of the elements in a bin
  kBilinear,  // of points, one for each of spatial_bins_y * x parts
};
absl::Span<const EnumName> EnumNames(PsRoiPoolingMode);

// Position-sensitive: each bin reads channels of its own.
struct PsRoiPoolingAttributes : public AttributesOf<PsRoiPoolingAttributes> {
  int64_t output_dim = 0;  // channels of the output
  int64_t group_size = 1;  // bins along each axis
  double spatial_scale = 0;
  int64_t spatial_bins_x = 1, spatial_bins_y = 1;
  PsRoiPoolingMode mode = PsRoiPoolingMode::kAverage;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("output_dim", output_dim);
    visitor.Visit("group_size", group_size);
    visitor.Visit("spatial_scale", spatial_scale);
    visitor.Visit("mode", mode);
    visitor.Visit("spatial_bins_x", spatial_bins_x);
    visitor.Visit("spatial_bins_y", spatial_bins_y);
  }
};

enum class DeformableMode { kBilinear };
absl::Span<const EnumName> EnumNames(DeformableMode);

// Each bin is moved by an offset that the network has learned.
struct DeformablePsRoiPoolingAttributes
    : public AttributesOf<DeformablePsRoiPoolingAttributes> {
  int64_t output_dim = 0;
  double spatial_scale = 0;
  int64_t group_size = 1;
  DeformableMode mode = DeformableMode::kBilinear;
  int64_t spatial_bins_x = 1, spatial_bins_y = 1;  // points in a bin
  double trans_std = 1;   // what offsets are multiplied by
  int64_t part_size = 1;  // offsets along each axis

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("output_dim", output_dim);
    visitor.Visit("spatial_scale", spatial_scale);
    visitor.Visit("group_size", group_size);
    visitor.Visit("mode", mode);
    visitor.Visit("spatial_bins_x", spatial_bins_x);
    visitor.Visit("spatial_bins_y", spatial_bins_y);
    visitor.Visit("trans_std", trans_std);
    visitor.Visit("part_size", part_size);
  }
};

// features [N, C, H, W], regions [R, 5] -> [R, C, pooled_h, pooled_w].
absl::Status InferRoiPooling(InferContext& context);
// The same -> [R, output_dim, group_size, group_size]. C is output_dim times
// the number of bins, or, bilinear, times that of a bin's parts.
absl::Status InferPsRoiPooling(InferContext& context);
// The same and perhaps offsets [R, 2 * K, part_size, part_size], for x and y
// and K groups of output channels.
absl::Status InferDeformablePsRoiPooling(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_ROI_ROI_POOLING_H_
