// ReorgYolo: an image with fewer rows and columns and more channels.
#ifndef DOVETAIL_CORE_OPS_IMAGE_YOLO_REORG_YOLO_H_
#define DOVETAIL_CORE_OPS_IMAGE_YOLO_REORG_YOLO_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct ReorgYoloAttributes : public AttributesOf<ReorgYoloAttributes> {
  int64_t stride = 1;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("stride", stride);
  }
};

// Images [N, C, H, W] -> [N, C * stride * stride, H / stride, W / stride].
absl::Status InferReorgYolo(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_IMAGE_YOLO_REORG_YOLO_H_
