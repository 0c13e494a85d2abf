// Input channels cut into tiles, whose results SHAVEs add up.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_PARTIAL_SUMS_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_PARTIAL_SUMS_H_

#include <string>
#include <vector>

#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"
#include "dovetail/backends/vpu/compiler/tiling/tiling.h"
#include "dovetail/backends/vpu/schedule/graph/engine_work.h"
#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {

// Engines write partial results of one part of the plane, called `place`, of
// which SHAVEs add up what is kept, to `result`; the activation comes last, for
// itself.
void AddPartialSums(const EngineShape& engine, const Tiling& tiling,
                    const TileShapes& tile, const std::string& place,
                    const std::vector<int>& inputs, int result,
                    GraphBuilder& builder);

// The sum of two buffers of these extents by SHAVEs, called `place` and what it
// is, with the layer's activation behind it if it has one.
void AddSum(int layer, const ConvShape& tile, const std::string& place,
            std::vector<int> parts, int result, GraphBuilder& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_PARTIAL_SUMS_H_
