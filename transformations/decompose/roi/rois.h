// Regions [R, 5] that begin with the number of their image, input 1 of the
// poolings; the first of image -1 ends the list.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ROI_ROIS_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ROI_ROIS_H_

#include <cstdint>

#include "dovetail/transformations/common/node_builder.h"

namespace dovetail {

// Number `i` of each region, f32 [R].
Value RoiNumber(NodeBuilder& b, int64_t i);
// The image of each region, i64 [R]; 0 at the end of the list and behind it.
Value RoiImages(NodeBuilder& b);
// Whether a region comes before the end of the list, [R].
Value IsRoiListed(NodeBuilder& b);

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ROI_ROIS_H_
