#include "dovetail/backends/gpu/steps/roi/table.h"

#include "dovetail/backends/gpu/steps/roi/align.h"
#include "dovetail/backends/gpu/steps/roi/pooling.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> RoiEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"DeformablePSROIPooling", &EmitDeformablePsRoiPooling},
      {"ExperimentalDetectronROIFeatureExtractor", &EmitRoiFeatureExtractor},
      {"PSROIPooling", &EmitPsRoiPooling},
      {"ROIAlign", &EmitRoiAlign},
      {"ROIAlignRotated", &EmitRoiAlignRotated},
      {"ROIPooling", &EmitRoiPooling},
  };
  return kRows;
}

}  // namespace dovetail::gpu
