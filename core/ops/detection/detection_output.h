// DetectionOutput: from a single-shot detector's predictions to a list of
// detections.
#ifndef DOVETAIL_CORE_OPS_DETECTION_DETECTION_OUTPUT_H_
#define DOVETAIL_CORE_OPS_DETECTION_DETECTION_OUTPUT_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// How a predicted box is told relative to its prior box.
enum class BoxCode {
  kCorner,      // offsets of the corners
  kCenterSize,  // offset of the centre in sizes, logarithms of size ratios
};
absl::Span<const EnumName> EnumNames(BoxCode);

// Version 8 takes the number of classes from the shapes instead.
struct DetectionOutputAttributes
    : public AttributesOf<DetectionOutputAttributes> {
  int64_t background_label_id = 0;
  int64_t top_k = -1;                   // boxes a class before suppression
  bool variance_encoded_in_target = false;
  std::vector<int64_t> keep_top_k;      // boxes an image after suppression
  BoxCode code_type = BoxCode::kCorner;
  bool share_location = true;           // one box for all classes
  double nms_threshold = 0;             // overlap from which on boxes are one
  double confidence_threshold = 0;
  bool clip_after_nms = false;
  bool clip_before_nms = false;
  bool decrease_label_id = false;       // MXNet's suppression and labels
  bool normalized = false;              // priors are fractions, not pixels
  int64_t input_height = 1, input_width = 1;  // to make fractions of pixels
  double objectness_score = 0;

  void Visit(AttributeVisitor& visitor) override;
};

struct DetectionOutputV0Attributes
    : public AttributesOf<DetectionOutputV0Attributes> {
  int64_t num_classes = 0;
  DetectionOutputAttributes base;

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("num_classes", num_classes);
    base.Visit(visitor);
  }
};

// What both versions have.
const DetectionOutputAttributes& DetectionAttributesOf(const Node& node);
// The number of classes: version 0's attribute, else the class scores' extent
// over the number of priors; 0 when there are no priors.
int64_t ClassCount(const Node& node, int64_t score_extent, int64_t priors);

// box_logits [N, P * L * 4], class_preds [N, P * C], proposals [1 or N, 1 or 2,
// P * 4 or 5], and perhaps aux_class_preds [N, P * 2] and aux_box_preds
// -> [1, 1, N * K, 7]. L is 1 or C.
absl::Status InferDetectionOutput(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_DETECTION_OUTPUT_H_
