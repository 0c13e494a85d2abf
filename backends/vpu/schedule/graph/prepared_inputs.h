// What engines read: whole blocks of channels, and padding that they cannot add
// themselves.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_PREPARED_INPUTS_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_PREPARED_INPUTS_H_

#include <vector>

#include "dovetail/backends/vpu/compiler/tiling/hw_mode.h"
#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {

// The inputs of a convolution or pooling, the first of them padded where an
// engine needs that. Padding goes into `shape`, which is the layer's.
std::vector<int> PrepareInputs(int layer, std::vector<int> inputs,
                               ConvShape& shape, GraphBuilder& builder);

// Copies an input of the network to where there is room for whole blocks of its
// channels, as many as the mode of a tile of this shape takes at once, if it
// fills none, as a picture of three.
std::vector<int> ExpandInputs(int layer, std::vector<int> inputs,
                              const ConvShape& shape, const ConvShape& tile,
                              GraphBuilder& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_PREPARED_INPUTS_H_
