#include "dovetail/core/ops/roi/table.h"

#include "dovetail/core/ops/roi/roi_align.h"
#include "dovetail/core/ops/roi/roi_feature_extractor.h"
#include "dovetail/core/ops/roi/roi_pooling.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"DeformablePSROIPooling", 1, "DeformablePSROIPooling",
     OpsetRange::Since(1), {2, 3}, {1, 1},
     &MakeAttributes<DeformablePsRoiPoolingAttributes>,
     &InferDeformablePsRoiPooling},
    {"ExperimentalDetectronROIFeatureExtractor", 6,
     "ExperimentalDetectronROIFeatureExtractor", OpsetRange::Since(6),
     {2, Arity::kAny}, {2, 2}, &MakeAttributes<RoiFeatureExtractorAttributes>,
     &InferRoiFeatureExtractor},
    {"PSROIPooling", 0, "PSROIPooling", OpsetRange::Since(1), {2, 2}, {1, 1},
     &MakeAttributes<PsRoiPoolingAttributes>, &InferPsRoiPooling},
    {"ROIAlign", 3, "ROIAlign", OpsetRange::Between(3, 8), {3, 3}, {1, 1},
     &MakeAttributes<RoiAlignV3Attributes>, &InferRoiAlign},
    {"ROIAlign", 9, "ROIAlign", OpsetRange::Since(9), {3, 3}, {1, 1},
     &MakeAttributes<RoiAlignAttributes>, &InferRoiAlign},
    {"ROIAlignRotated", 15, "ROIAlignRotated", OpsetRange::Since(15), {3, 3},
     {1, 1}, &MakeAttributes<RoiAlignRotatedAttributes>,
     &InferRoiAlignRotated},
    {"ROIPooling", 0, "ROIPooling", OpsetRange::Since(2), {2, 2}, {1, 1},
     &MakeAttributes<RoiPoolingAttributes>, &InferRoiPooling},
};

}  // namespace

absl::Span<const OpInfo> RoiOps() { return kOps; }

}  // namespace dovetail
