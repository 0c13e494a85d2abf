// NMSRotated: NonMaxSuppression of boxes that are turned about their centre.
#ifndef DOVETAIL_CORE_OPS_DETECTION_SUPPRESSION_NMS_ROTATED_H_
#define DOVETAIL_CORE_OPS_DETECTION_SUPPRESSION_NMS_ROTATED_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct NmsRotatedAttributes : public AttributesOf<NmsRotatedAttributes> {
  bool sort_result_descending = true;
  ElementType output_type = ElementType::kI64;
  bool clockwise = true;  // which way angles turn

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("sort_result_descending", sort_result_descending);
    visitor.Visit("output_type", output_type);
    visitor.Visit("clockwise", clockwise);
  }
};

// boxes [B, N, 5] (x and y of the centre, width, height, angle in radians),
// scores [B, C, N], max_output_boxes_per_class, iou_threshold, score_threshold
// -> indices [K, 3], scores [K, 3] and the number of detections [1], as
// NonMaxSuppression.
absl::Status InferNmsRotated(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_SUPPRESSION_NMS_ROTATED_H_
