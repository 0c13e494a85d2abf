// Passes that say what is in CMX.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_ADJUST_LOCATION_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_ADJUST_LOCATION_H_

#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

// Where work finds no room for its output, or no SHAVE, all that is in CMX then
// is copied to DDR behind its writer, and its readers read that; again from the
// start until all fits. What cannot be helped so goes to DDR itself.
void SpillToDdr(const Machine& machine, StageGraph& graph);

// Inputs of engines that are in DDR, one by one, where all still fits; not what
// was spilled.
void PackIntoCmx(const Machine& machine, StageGraph& graph);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_ADJUST_LOCATION_H_
