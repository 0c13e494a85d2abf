// NonMaxSuppression: of boxes that overlap the one with the best score.
#ifndef DOVETAIL_CORE_OPS_DETECTION_NON_MAX_SUPPRESSION_H_
#define DOVETAIL_CORE_OPS_DETECTION_NON_MAX_SUPPRESSION_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class BoxEncoding {
  kCorner,  // y1, x1, y2, x2: any two opposite corners
  kCenter,  // x, y of the centre, width, height
};
absl::Span<const EnumName> EnumNames(BoxEncoding);

// Version 1 always gives i64.
struct NonMaxSuppressionAttributes
    : public AttributesOf<NonMaxSuppressionAttributes> {
  BoxEncoding box_encoding = BoxEncoding::kCorner;
  bool sort_result_descending = true;
  ElementType output_type = ElementType::kI64;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("box_encoding", box_encoding);
    visitor.Visit("sort_result_descending", sort_result_descending);
    visitor.Visit("output_type", output_type);
  }
};

// boxes [B, N, 4], scores [B, C, N], and scalars that default to 0:
// max_output_boxes_per_class, iou_threshold, score_threshold, soft_nms_sigma
// (from version 5 on) -> indices [K, 3] (batch, class, box), from version 5 on
// also scores [K, 3] and the number of detections [1]. K depends on the data.
absl::Status InferNonMaxSuppression(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_NON_MAX_SUPPRESSION_H_
