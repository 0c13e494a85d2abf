// Concatenations: one buffer, of which the inputs become parts.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_CONCATENATION_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_CONCATENATION_H_

#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {

// Inputs are copied where they are a part of something else or an engine's
// output; the latter copies may be spared.
void AddConcatenation(int layer, GraphBuilder& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_CONCATENATION_H_
