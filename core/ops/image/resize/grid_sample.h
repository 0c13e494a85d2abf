// GridSample: an image read at positions that another tensor gives.
#ifndef DOVETAIL_CORE_OPS_IMAGE_RESIZE_GRID_SAMPLE_H_
#define DOVETAIL_CORE_OPS_IMAGE_RESIZE_GRID_SAMPLE_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// How the elements around a position count.
enum class GridSampleMode { kBilinear, kBicubic, kNearest };
absl::Span<const EnumName> EnumNames(GridSampleMode);

// What lies outside of the image: zeros, its last row and column, its mirror
// image.
enum class GridSamplePadding { kZeros, kBorder, kReflection };
absl::Span<const EnumName> EnumNames(GridSamplePadding);

struct GridSampleAttributes : public AttributesOf<GridSampleAttributes> {
  // Whether -1 and 1 are the middles of the outermost elements, not their
  // outer edges.
  bool align_corners = false;
  GridSampleMode mode = GridSampleMode::kBilinear;
  GridSamplePadding padding_mode = GridSamplePadding::kZeros;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("align_corners", align_corners);
    visitor.Visit("mode", mode);
    visitor.Visit("padding_mode", padding_mode);
  }
};

// data [N, C, H, W], grid [N, H', W', 2] of (x, y), each from -1 to 1 within
// the image -> [N, C, H', W'].
absl::Status InferGridSample(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_IMAGE_RESIZE_GRID_SAMPLE_H_
