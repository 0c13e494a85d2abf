// Networks as graphs of stages: tiles, partial sums, copies.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_BUILD_GRAPH_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_BUILD_GRAPH_H_

#include "dovetail/backends/vpu/compiler/network.h"
#include "dovetail/backends/vpu/machine/machine.h"
#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

// Indices of inputs must be below the layer's own, and extents above 0. What
// engines write is in CMX, all else in DDR; a concatenation is a buffer whose
// parts its inputs become, by a copy where an input is a part of another or is
// an engine's (which later passes may spare).
StageGraph BuildGraph(const Machine& machine, const Network& network);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_BUILD_GRAPH_H_
