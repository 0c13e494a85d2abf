// ExtractImagePatches: windows of an image as channels.
#ifndef DOVETAIL_CORE_OPS_IMAGE_PATCHES_EXTRACT_IMAGE_PATCHES_H_
#define DOVETAIL_CORE_OPS_IMAGE_PATCHES_EXTRACT_IMAGE_PATCHES_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail {

struct ExtractImagePatchesAttributes
    : public AttributesOf<ExtractImagePatchesAttributes> {
  std::vector<int64_t> sizes;  // of a patch: height, width
  SlidingWindow window;        // strides; dilations, here called rates

  ExtractImagePatchesAttributes() { window.auto_pad = AutoPad::kValid; }

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("sizes", sizes);
    visitor.Visit("strides", window.strides);
    visitor.Visit("rates", window.dilations);
    visitor.Visit("auto_pad", window.auto_pad);
  }
};

// Images [N, C, H, W] -> patches [N, height * width * C, rows, columns]: the
// channels of the patch's first element, then those of the one beside it.
absl::Status InferExtractImagePatches(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_IMAGE_PATCHES_EXTRACT_IMAGE_PATCHES_H_
