// The common part of MatrixNms and MulticlassNms: boxes and scores of the
// classes of an image, and the detections that are left of them.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_DETECTIONS_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_DETECTIONS_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/core/ops/detection/suppression/multiclass_nms.h"
#include "dovetail/core/reference/detection/boxes.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

struct Detection {
  float score;
  int64_t image, label;
  int64_t index;  // of the box among those of all images
  Box box;
};

// The boxes of one class of an image with scores above the threshold, the best
// first and at most nms_top_k.
using ClassBoxes = std::vector<Detection>;

// What the operations do differently.
struct NmsOptions {
  // Whether a score equal to the threshold is enough.
  bool threshold_included = false;
  // Whether an order by class holds for an image on its own too; else only
  // across images, and by score in each.
  bool sorts_images_by_class = false;
};

// Which of them stay, perhaps with lower scores, the best first.
using SuppressFn = absl::FunctionRef<ClassBoxes(const ClassBoxes& boxes)>;

// The kernel of both operations: collects the boxes of each class, suppresses,
// keeps the best of each image, sorts, and writes all outputs.
absl::Status SelectDetections(KernelContext& context,
                              const MulticlassSelection& selection,
                              const NmsOptions& options, SuppressFn suppress);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_SUPPRESSION_DETECTIONS_H_
