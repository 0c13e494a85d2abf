// Kernels of YOLO detectors.
#ifndef DOVETAIL_CORE_REFERENCE_IMAGE_YOLO_YOLO_H_
#define DOVETAIL_CORE_REFERENCE_IMAGE_YOLO_YOLO_H_

#include "absl/status/status.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Moves elements as Darknet does: its memory is read as
// [N, C / stride / stride, H * stride, W * stride], and each square of that
// becomes channels, of which the slowest axis is the position in the square.
// Where channels are no multiple of the squares' size the quotient is rounded
// down, as in OpenVINO's implementation: files have such layers, although the
// specification does not allow them. With all rows in whole squares that still
// stays inside of the data.
absl::Status ReorgYoloKernel(KernelContext& context);
// The logistic function of the first two coordinates and of the object's
// score, and of the classes' scores that or, with do_softmax, their softmax.
absl::Status RegionYoloKernel(KernelContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_REFERENCE_IMAGE_YOLO_YOLO_H_
