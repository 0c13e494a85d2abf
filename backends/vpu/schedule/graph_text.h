// Graphs of stages for people, as PRINT_PASSES shows them.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_TEXT_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_TEXT_H_

#include <string>

#include "dovetail/backends/vpu/schedule/graph/stage_graph.h"

namespace dovetail::vpu {

// A line for each stage in order, with what it reads and writes, where that
// lies, what runs beside it and why it is there.
std::string GraphText(const StageGraph& graph);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_TEXT_H_
