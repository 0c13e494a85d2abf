#include "dovetail/core/reference/image/table.h"

#include "dovetail/core/reference/image/color/color_conversion.h"
#include "dovetail/core/reference/image/patches/patches.h"
#include "dovetail/core/reference/image/resize/grid_sample.h"
#include "dovetail/core/reference/image/resize/interpolate.h"
#include "dovetail/core/reference/image/yolo/yolo.h"

namespace dovetail {
namespace {

constexpr KernelRow kKernels[] = {
    {"Interpolate", 0, &InterpolateKernel},
    {"Interpolate", 4, &InterpolateKernel},
    {"Interpolate", 11, &InterpolateKernel},
    {"GridSample", 9, &GridSampleKernel},
    {"ExtractImagePatches", 3, &ExtractImagePatchesKernel},
    {"Col2Im", 15, &Col2ImKernel},
    {"ReorgYolo", 0, &ReorgYoloKernel},
    {"RegionYolo", 0, &RegionYoloKernel},
    {"NV12toRGB", 8, &Nv12ToRgbKernel},
    {"NV12toBGR", 8, &Nv12ToBgrKernel},
    {"I420toRGB", 8, &I420ToRgbKernel},
    {"I420toBGR", 8, &I420ToBgrKernel},
    {"RGBtoNV12", 17, &RgbToNv12Kernel},
    {"BGRtoNV12", 17, &BgrToNv12Kernel},
};

}  // namespace

absl::Span<const KernelRow> ImageKernels() { return kKernels; }

}  // namespace dovetail
