// Comparison of two lists of detections: rows are matched by label,
// overlap and confidence, for their order is not defined.
#ifndef DOVETAIL_TOOLS_CONFORMANCE_COMPARE_DETECTIONS_H_
#define DOVETAIL_TOOLS_CONFORMANCE_COMPARE_DETECTIONS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::conformance {

struct Detection {
  double label, confidence, x1, y1, x2, y2;
};

// How near a matching row has to be, and from which confidence on rows count.
struct DetectionTolerance {
  double overlap = 0.9;      // intersection over union, at least
  double confidence = 0.02;  // difference, at most
  double threshold = 0.3;
};
// For networks in exact arithmetic, and for quantized ones, where one rounding
// that falls the other way travels on.
DetectionTolerance DetectionToleranceFor(bool quantized);

// The rows of [1,1,N,7] (image id, label, confidence, x1, y1, x2, y2; ended by
// an image id of -1), or of [N,5] (x1, y1, x2, y2, confidence) with [N] labels.
// kInvalidArgument for other shapes.
absl::StatusOr<std::vector<Detection>> ReadDetections(const Tensor& boxes,
                                                      const Tensor* labels);

// Every row from the threshold on needs a partner in the other list.
absl::Status CompareDetections(const std::vector<Detection>& got,
                               const std::vector<Detection>& want,
                               const DetectionTolerance& tolerance);

}  // namespace dovetail::conformance

#endif  // DOVETAIL_TOOLS_CONFORMANCE_COMPARE_DETECTIONS_H_
