// NonMaxSuppression: of boxes that overlap the one with the best score.
#ifndef DOVETAIL_CORE_OPS_DETECTION_NON_MAX_SUPPRESSION_H_
#define DOVETAIL_CORE_OPS_DETECTION_NON_MAX_SUPPRESSION_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

enum class BoxEncoding {
  kCorner,  // y1, x1, y2, x2: any two opposite corners
  kCenter,  // x, y of the centre, width, height
};
absl::Span<const EnumName> EnumNames(BoxEncoding);

struct NonMaxSuppressionAttributes
    : public AttributesOf<NonMaxSuppressionAttributes> {
  BoxEncoding box_encoding = BoxEncoding::kCorner;
  bool sort_result_descending = true;
  ElementType output_type = ElementType::kI64;
  // Version 1 cannot name another type.
  bool has_output_type = true;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("box_encoding", box_encoding);
    visitor.Visit("sort_result_descending", sort_result_descending);
    if (has_output_type) visitor.Visit("output_type", output_type);
  }
};

// Attributes of version 1.
std::unique_ptr<Attributes> MakeNonMaxSuppression1Attributes();

// boxes [B, N, 4], scores [B, C, N], and scalars that default to 0:
// max_output_boxes_per_class, iou_threshold, score_threshold, soft_nms_sigma
// (from version 5 on) -> indices [K, 3] (batch, class, box), from version 5 on
// also scores [K, 3] and the number of detections [1]. K depends on the data.
absl::Status InferNonMaxSuppression(InferContext& context);

// The same for any operation of these inputs whose boxes are of `numbers`
// numbers; `with_scores`: with the second and third output.
absl::Status InferSelection(InferContext& context, int64_t numbers,
                            ElementType output_type, bool with_scores);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_NON_MAX_SUPPRESSION_H_
