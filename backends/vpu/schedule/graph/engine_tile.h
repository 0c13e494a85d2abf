// One part of the plane that engines compute, and its way to the whole.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_ENGINE_TILE_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_ENGINE_TILE_H_

#include <cstddef>

#include "dovetail/backends/vpu/compiler/tiling/tiling.h"
#include "dovetail/backends/vpu/schedule/graph/engine_work.h"
#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {

// All tiles of channels of the part in row `y` and column `x` of the tiling,
// their sums, and, where the output `is_cut`, the copy of the result to its
// place.
void AddEngineTile(const EngineShape& engine, const Tiling& tiling, size_t y,
                   size_t x, bool is_cut, GraphBuilder& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_ENGINE_TILE_H_
