#include "dovetail/core/ops/image/table.h"

#include "dovetail/core/ops/common/row_types.h"
#include "dovetail/core/ops/image/color/color_conversion.h"
#include "dovetail/core/ops/image/patches/col2im.h"
#include "dovetail/core/ops/image/patches/extract_image_patches.h"
#include "dovetail/core/ops/image/resize/grid_sample.h"
#include "dovetail/core/ops/image/resize/interpolate.h"
#include "dovetail/core/ops/image/yolo/region_yolo.h"
#include "dovetail/core/ops/image/yolo/reorg_yolo.h"
#include "dovetail/core/tensor/types/element_type_set.h"

namespace dovetail {
namespace {

constexpr OpInfo kOps[] = {
    {"Interpolate", 0, "Interpolate", OpsetRange::Between(1, 3), {2, 2}, {1, 1},
     &MakeAttributes<Interpolate0Attributes>, &InferInterpolate, kAnyNumeric},
    {"Interpolate", 4, "Interpolate", OpsetRange::Between(4, 10), {3, 4},
     {1, 1}, &MakeAttributes<InterpolateAttributes>, &InferInterpolate,
     kAnyNumeric},
    {"Interpolate", 11, "Interpolate", OpsetRange::Since(11), {2, 3}, {1, 1},
     &MakeAttributes<InterpolateAttributes>, &InferInterpolate, kAnyNumeric},
    {"GridSample", 9, "GridSample", OpsetRange::Since(9), {2, 2}, {1, 1},
     &MakeAttributes<GridSampleAttributes>, &InferGridSample,
     kAnyNumericOrBoolean},
    {"ExtractImagePatches", 3, "ExtractImagePatches", OpsetRange::Since(3),
     {1, 1}, {1, 1}, &MakeAttributes<ExtractImagePatchesAttributes>,
     &InferExtractImagePatches, kAllTypes},
    {"Col2Im", 15, "Col2Im", OpsetRange::Since(15), {3, 3}, {1, 1},
     &MakeAttributes<Col2ImAttributes>, &InferCol2Im, kAnyNumericOrBoolean},
    {"ReorgYolo", 0, "ReorgYolo", OpsetRange::Since(2), {1, 1}, {1, 1},
     &MakeAttributes<ReorgYoloAttributes>, &InferReorgYolo, kAllTypes},
    {"RegionYolo", 0, "RegionYolo", OpsetRange::Since(1), {1, 1}, {1, 1},
     &MakeAttributes<RegionYoloAttributes>, &InferRegionYolo, kAnyFloat},
    {"NV12toRGB", 8, "NV12toRGB", OpsetRange::Since(8), {1, 2}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferFromNv12, kAnyFloat | kByteType},
    {"NV12toBGR", 8, "NV12toBGR", OpsetRange::Since(8), {1, 2}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferFromNv12, kAnyFloat | kByteType},
    {"I420toRGB", 8, "I420toRGB", OpsetRange::Since(8), {1, 3}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferFromI420, kAnyFloat | kByteType},
    {"I420toBGR", 8, "I420toBGR", OpsetRange::Since(8), {1, 3}, {1, 1},
     &MakeAttributes<NoAttributes>, &InferFromI420, kAnyFloat | kByteType},
    {"RGBtoNV12", 17, "RGBtoNV12", OpsetRange::Since(17), {1, 1}, {1, 2},
     &MakeAttributes<ToNv12Attributes>, &InferToNv12, kAnyFloat | kByteType},
    {"BGRtoNV12", 17, "BGRtoNV12", OpsetRange::Since(17), {1, 1}, {1, 2},
     &MakeAttributes<ToNv12Attributes>, &InferToNv12, kAnyFloat | kByteType},
};

}  // namespace

absl::Span<const OpInfo> ImageOps() { return kOps; }

}  // namespace dovetail
