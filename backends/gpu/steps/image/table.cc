#include "dovetail/backends/gpu/steps/image/table.h"

#include "dovetail/backends/gpu/steps/image/grid_sample.h"
#include "dovetail/backends/gpu/steps/image/interpolate.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> ImageEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"GridSample", &EmitGridSample},
      {"Interpolate", &EmitInterpolate},
  };
  return kRows;
}

}  // namespace dovetail::gpu
