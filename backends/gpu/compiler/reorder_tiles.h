// Reorders of whole vectors, on devices whose work items have vectors of 16.
#ifndef DOVETAIL_BACKENDS_GPU_COMPILER_REORDER_TILES_H_
#define DOVETAIL_BACKENDS_GPU_COMPILER_REORDER_TILES_H_

#include <memory>

#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/gpu/codegen/lane_model.h"
#include "dovetail/backends/gpu/plan/steps.h"

namespace dovetail::gpu {

// Between planar data and blocks of 16 channels, of elements of four bytes.
// Null: it is another reorder, or one that MakeReorderStep does as well.
std::unique_ptr<LaunchStep> MakeTileReorderStep(const Shape& shape,
                                                const Format& from,
                                                const Format& to,
                                                const LaneModel& lanes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_COMPILER_REORDER_TILES_H_
