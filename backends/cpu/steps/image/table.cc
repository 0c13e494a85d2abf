#include "dovetail/backends/cpu/steps/image/table.h"

#include "dovetail/backends/cpu/steps/image/deformable.h"
#include "dovetail/backends/cpu/steps/image/grid_sample.h"
#include "dovetail/backends/cpu/steps/image/interpolate.h"
#include "dovetail/backends/cpu/steps/image/roi.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> ImageEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"DeformableConvolution", &EmitDeformableConvolution},
      {"GridSample", &EmitGridSample},
      {"Interpolate", &EmitInterpolate},
      {"ROIAlign", &EmitRoiAlign},
      {"ROIPooling", &EmitRoiPooling},
  };
  return kRows;
}

}  // namespace dovetail::cpu
