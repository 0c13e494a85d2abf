// Col2Im: an image as the sum of its patches.
#ifndef DOVETAIL_CORE_OPS_IMAGE_PATCHES_COL2IM_H_
#define DOVETAIL_CORE_OPS_IMAGE_PATCHES_COL2IM_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail {

struct Col2ImAttributes : public AttributesOf<Col2ImAttributes> {
  SlidingWindow window;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("strides", window.strides);
    visitor.Visit("dilations", window.dilations);
    visitor.Visit("pads_begin", window.pads_begin);
    visitor.Visit("pads_end", window.pads_end);
  }
};

// patches [N, C * height * width, L] or without N, extents of the image [2],
// extents of a patch [2]: (height, width) -> image [N, C, H, W] or [C, H, W].
// L is the number of positions that a patch has in the padded image.
absl::Status InferCol2Im(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_IMAGE_PATCHES_COL2IM_H_
