// Decompositions of operations on images.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_IMAGE_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_IMAGE_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// NV12toRGB, I420toBGR, RGBtoNV12 and the like: sums of planes.
absl::Span<const NodeRule> ColorDecompositions();
// Interpolate, but for some modes when extents are not known: weighted sums of
// Gather along each axis.
absl::Span<const NodeRule> ResizeDecompositions();
// GridSample: weighted sums of Gather.
absl::Span<const NodeRule> GridSampleDecompositions();
// ExtractImagePatches, Col2Im, ReorgYolo, RegionYolo.
absl::Span<const NodeRule> PatchDecompositions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_IMAGE_RULES_H_
