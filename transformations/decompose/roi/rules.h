// Decompositions of operations on regions of interest.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ROI_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ROI_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// ROIAlign, ROIAlignRotated, ExperimentalDetectronROIFeatureExtractor with a
// number of points that does not depend on the region: means of Gather.
absl::Span<const NodeRule> RoiAlignDecompositions();
// ROIPooling and PSROIPooling of mode bilinear.
absl::Span<const NodeRule> RoiPoolingDecompositions();
// DeformableConvolution and DeformablePSROIPooling: Gather at moved points,
// then MatMul or means.
absl::Span<const NodeRule> DeformableDecompositions();
// ExperimentalDetectronPriorGridGenerator, ExperimentalDetectronTopKROIs.
absl::Span<const NodeRule> RegionDecompositions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_ROI_RULES_H_
