// How the network's outputs reach DDR, from where the host takes them.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_FLUSH_OUTPUTS_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_FLUSH_OUTPUTS_H_

#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {

// What nobody reads, or the host does, leaves by way of DDR: a copy where it is
// in CMX. After all layers.
void FlushOutputs(GraphBuilder& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_FLUSH_OUTPUTS_H_
