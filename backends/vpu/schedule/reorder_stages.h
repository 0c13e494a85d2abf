// The pass that orders stages by what they write.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_REORDER_STAGES_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_REORDER_STAGES_H_

#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

// A branch runs to its end before the next one begins. Of those that read the
// same output, the ones that write DDR, or read by way of a view, come first:
// so an engine's output leaves CMX before others need the room. Before any
// injection.
void ReorderStages(const Machine& machine, StageGraph& graph);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_REORDER_STAGES_H_
