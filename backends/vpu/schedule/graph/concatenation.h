// Concatenations: one buffer, of which the inputs become parts.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_CONCATENATION_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_CONCATENATION_H_

#include <vector>

#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {

// Inputs are copied where they are a part of something else or an engine's
// output; the latter copies may be spared. Adds nothing where the layer changes
// places with a pooling.
void AddConcatenation(int layer, GraphBuilder& builder);

// The concatenation with which a maximum pooling changes places, so that each
// of its inputs is pooled as soon as it is there; kNone where there is none. It
// is of channels, what it reads and what reads it have no other reader.
int SwappedConcatenation(int pool, const GraphBuilder& builder);

// Makes `parts` parts of `whole`, as the inputs of concatenation `layer`.
void AddParts(int layer, const std::vector<int>& parts, int whole,
              GraphBuilder& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_CONCATENATION_H_
