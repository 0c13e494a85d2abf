// ExperimentalDetectronDetectionOutput: the detections of an image, from what
// a second stage says of the regions that a first one has proposed.
#ifndef DOVETAIL_CORE_OPS_DETECTION_DETECTRON_DETECTION_OUTPUT_H_
#define DOVETAIL_CORE_OPS_DETECTION_DETECTRON_DETECTION_OUTPUT_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "dovetail/core/graph/attributes.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

struct DetectronDetectionOutputAttributes
    : public AttributesOf<DetectronDetectionOutputAttributes> {
  double score_threshold = 0;
  double nms_threshold = 0;
  double max_delta_log_wh = 0;  // no box grows by more than e to this
  int64_t num_classes = 0;      // with the background, class 0
  int64_t post_nms_count = 0;   // boxes of a class after suppression
  int64_t max_detections_per_image = 0;
  // Whether the boxes of all classes are one; they are given for each anyway.
  bool class_agnostic_box_regression = false;
  std::vector<double> deltas_weights;  // what the four deltas are over

  void Visit(AttributeVisitor& visitor) override {
    visitor.Visit("score_threshold", score_threshold);
    visitor.Visit("nms_threshold", nms_threshold);
    visitor.Visit("max_delta_log_wh", max_delta_log_wh);
    visitor.Visit("num_classes", num_classes);
    visitor.Visit("post_nms_count", post_nms_count);
    visitor.Visit("max_detections_per_image", max_detections_per_image);
    visitor.Visit("class_agnostic_box_regression",
                  class_agnostic_box_regression);
    visitor.Visit("deltas_weights", deltas_weights);
  }
};

// regions [R, 4] (x1, y1, x2, y2), deltas [R, 4 * C], scores [R, C], im_info
// [1, 3] (height, width, scale) -> boxes [D, 4], classes [D] (i32), scores [D].
// D is max_detections_per_image; what is not used is 0.
absl::Status InferDetectronDetectionOutput(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_DETECTION_DETECTRON_DETECTION_OUTPUT_H_
