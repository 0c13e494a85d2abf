// Convolutions and poolings as work of engines.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_ENGINE_LAYER_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_ENGINE_LAYER_H_

#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {

// Output channels beyond what an engine takes are convolutions of their own;
// what no engine takes is multiplied by SHAVEs.
void AddEngineLayer(int layer, GraphBuilder& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_ENGINE_LAYER_H_
