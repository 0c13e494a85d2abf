// Passes that spare copies, and run work beside engines.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_INJECT_WORK_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_INJECT_WORK_H_

#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

// Takes an engine's copy away, one by one in order, and lets the engine write
// to the copy's place, where that is in CMX then and all still fits.
void EliminateCopies(const Machine& machine, StageGraph& graph);

// Gives each engine's work the first work of SHAVEs or DMA that may run at the
// same time, and with whose buffers all still fits: behind it, where what it
// reads was written before, or before it, where the engine's input was, and was
// cut if the engine reads a part. One to each, after which all are in order
// anew. Not what needs all SHAVEs. None in a graph of more than 10 000 stages,
// which its engines' work says.
void InjectWork(const Machine& machine, StageGraph& graph);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_INJECT_WORK_H_
