// From what a detector predicts to boxes: the first half of DetectionOutput.
#ifndef DOVETAIL_CORE_REFERENCE_DETECTION_DECODE_BOXES_H_
#define DOVETAIL_CORE_REFERENCE_DETECTION_DECODE_BOXES_H_

#include <cstdint>

#include "dovetail/core/ops/detection/detection_output.h"
#include "dovetail/core/reference/detection/boxes.h"

namespace dovetail {

// A prior box as a fraction of the image, and how far predictions move it.
struct Prior {
  Box box;
  float variance[4] = {1, 1, 1, 1};
};

// Prior `index` of one image's `count`. `numbers` are P * 4 or 5 corners (an
// index before them when not normalized) and, unless encoded in the targets,
// P * 4 variances.
Prior ReadPrior(const DetectionOutputAttributes& attributes,
                const float* numbers, int64_t count, int64_t index);

// The box that four predicted numbers make of a prior.
Box DecodeBox(const DetectionOutputAttributes& attributes, const Prior& prior,
              const float* prediction);

// Corners moved into [0, 1].
Box ClipBox(const Box& box);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_DETECTION_DECODE_BOXES_H_
