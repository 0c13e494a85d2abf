// Buffers of a graph as what a program says of memory.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_MEMORY_MAP_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_MEMORY_MAP_H_

#include <vector>

#include "dovetail/backends/vpu/compiler/allocation.h"
#include "dovetail/backends/vpu/schedule/cmx_plan.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

// In order of the layers; of buffers that are used and no part of another. DDR
// is shared by those that do not live at the same time.
std::vector<Allocation> MapMemory(const StageGraph& graph, const CmxPlan& plan);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_MEMORY_MAP_H_
