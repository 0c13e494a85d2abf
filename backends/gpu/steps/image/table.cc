#include "dovetail/backends/gpu/steps/image/table.h"

#include "dovetail/backends/gpu/steps/image/color.h"
#include "dovetail/backends/gpu/steps/image/grid_sample.h"
#include "dovetail/backends/gpu/steps/image/interpolate.h"
#include "dovetail/backends/gpu/steps/image/patches.h"
#include "dovetail/backends/gpu/steps/image/yolo.h"

namespace dovetail::gpu {

absl::Span<const EmitterRow> ImageEmitters() {
  static constexpr EmitterRow kRows[] = {
      {"BGRtoNV12", &EmitRgbToNv12},
      {"Col2Im", &EmitCol2Im},
      {"ExtractImagePatches", &EmitExtractImagePatches},
      {"GridSample", &EmitGridSample},
      {"I420toBGR", &EmitYuvToRgb},
      {"I420toRGB", &EmitYuvToRgb},
      {"Interpolate", &EmitInterpolate},
      {"NV12toBGR", &EmitYuvToRgb},
      {"NV12toRGB", &EmitYuvToRgb},
      {"RGBtoNV12", &EmitRgbToNv12},
      {"RegionYolo", &EmitRegionYolo},
      {"ReorgYolo", &EmitReorgYolo},
  };
  return kRows;
}

}  // namespace dovetail::gpu
