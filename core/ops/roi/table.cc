#include "dovetail/core/ops/roi/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/roi/roi_align.h"
#include "dovetail/core/ops/roi/roi_feature_extractor.h"
#include "dovetail/core/ops/roi/roi_pooling.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"DeformablePSROIPooling", 1, "DeformablePSROIPooling",
     OpsetRange::Since(1), {2, 3}, {1, 1},
     &MakeAttributes<DeformablePsRoiPoolingAttributes>,
     &InferDeformablePsRoiPooling, kAnyNumericOrBoolean},
    {"ExperimentalDetectronROIFeatureExtractor", 6,
     "ExperimentalDetectronROIFeatureExtractor", OpsetRange::Since(6),
     {2, Arity::kAny}, {2, 2}, &MakeAttributes<RoiFeatureExtractorAttributes>,
     &InferRoiFeatureExtractor, kAnyFloat},
    {"PSROIPooling", 0, "PSROIPooling", OpsetRange::Since(1), {2, 2}, {1, 1},
     &MakeAttributes<PsRoiPoolingAttributes>, &InferPsRoiPooling, kAnyFloat},
    {"ROIAlign", 3, "ROIAlign", OpsetRange::Between(3, 8), {3, 3}, {1, 1},
     &MakeAttributes<RoiAlignV3Attributes>, &InferRoiAlign, kAnyFloat},
    {"ROIAlign", 9, "ROIAlign", OpsetRange::Since(9), {3, 3}, {1, 1},
     &MakeAttributes<RoiAlignAttributes>, &InferRoiAlign, kAnyFloat},
    {"ROIAlignRotated", 15, "ROIAlignRotated", OpsetRange::Since(15), {3, 3},
     {1, 1}, &MakeAttributes<RoiAlignRotatedAttributes>, &InferRoiAlignRotated,
     kAnyFloat},
    {"ROIPooling", 0, "ROIPooling", OpsetRange::Since(2), {2, 2}, {1, 1},
     &MakeAttributes<RoiPoolingAttributes>, &InferRoiPooling, kAnyFloat},
};

}  // namespace

absl::Span<const OpInfo> RoiOps() { return kOps; }

}  // namespace dovetail
