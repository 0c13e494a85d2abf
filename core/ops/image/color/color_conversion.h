// Conversions between images of red, green and blue and images in a video's
// format: brightness (Y) of every pixel, colour (U, V) of each square of four.
//
//   NV12   Y [N, H, W, 1], UV [N, H / 2, W / 2, 2]
//   I420   Y [N, H, W, 1], U [N, H / 2, W / 2, 1], V the same
//   RGB    [N, H, W, 3], or BGR with the channels the other way round
//
// A single plane holds the planes of an image one after the other as
// [N, H * 3 / 2, W, 1].
#ifndef DOVETAIL_CORE_OPS_IMAGE_COLOR_COLOR_CONVERSION_H_
#define DOVETAIL_CORE_OPS_IMAGE_COLOR_COLOR_CONVERSION_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Of RGBtoNV12 and BGRtoNV12.
struct ToNv12Attributes : public AttributesOf<ToNv12Attributes> {
  bool single_plane = true;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("single_plane", single_plane);
  }
};

// NV12toRGB, NV12toBGR: a single plane, or Y and UV -> RGB.
absl::Status InferFromNv12(InferContext& context);
// I420toRGB, I420toBGR: a single plane, or Y, U and V -> RGB.
absl::Status InferFromI420(InferContext& context);
// RGBtoNV12, BGRtoNV12: RGB -> a single plane, or Y and UV.
absl::Status InferToNv12(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_IMAGE_COLOR_COLOR_CONVERSION_H_
