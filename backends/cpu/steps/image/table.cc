#include "dovetail/backends/cpu/steps/image/table.h"

#include "dovetail/backends/cpu/steps/image/col2im.h"
#include "dovetail/backends/cpu/steps/image/deformable.h"
#include "dovetail/backends/cpu/steps/image/grid_sample.h"
#include "dovetail/backends/cpu/steps/image/interpolate.h"
#include "dovetail/backends/cpu/steps/image/roi.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> ImageEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"Col2Im", &EmitCol2Im},
      {"DeformableConvolution", &EmitDeformableConvolution},
      {"GridSample", &EmitGridSample},
      {"Interpolate", &EmitInterpolate},
      {"ROIAlign", &EmitRoiAlign},
      {"ROIPooling", &EmitRoiPooling},
  };
  return kRows;
}

}  // namespace dovetail::cpu
