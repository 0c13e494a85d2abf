#include "dovetail/core/reference/roi/table.h"

#include "dovetail/core/reference/common/floats.h"
#include "dovetail/core/reference/roi/roi.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"DeformablePSROIPooling", 1, &OnFloats<&DeformablePsRoiPoolingKernel>},
    {"ExperimentalDetectronROIFeatureExtractor", 6,
     &OnFloats<&RoiFeatureExtractorKernel>},
    {"PSROIPooling", 0, &OnFloats<&PsRoiPoolingKernel>},
    {"ROIAlign", 3, &OnFloats<&RoiAlignKernel>},
    {"ROIAlign", 9, &OnFloats<&RoiAlignKernel>},
    {"ROIAlignRotated", 15, &OnFloats<&RoiAlignRotatedKernel>},
    {"ROIPooling", 0, &OnFloats<&RoiPoolingKernel>},
};

}  // namespace

absl::Span<const KernelRow> RoiKernels() { return kKernels; }

}  // namespace dovetail
