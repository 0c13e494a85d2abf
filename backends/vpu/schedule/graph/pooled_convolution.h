// Convolutions whose only reader is a pool: how the compiler treats both.
#ifndef DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_POOLED_CONVOLUTION_H_
#define DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_POOLED_CONVOLUTION_H_

#include <cstdint>

#include "dovetail/backends/vpu/schedule/graph/graph_builder.h"

namespace dovetail::vpu {

// The pool that an engine computes with the convolution, in one stage: of 2x2
// and stride 2 behind 3x3 of stride 1, all extents even, where a tile fits.
// kNone for others, and for what is no convolution.
int PoolOf(int layer, const GraphBuilder& builder);

// Output channels of each part where a convolution and the pool behind it are
// cut together, so that the pool reads CMX: 128, 64 or 32. 0 where the output
// fits CMX as it is, no such part does, there is no pool, or the pool is one that
// PoolOf takes, though no tile fits. For a pool: as its convolution is cut.
int64_t PartChannels(int layer, const GraphBuilder& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SCHEDULE_GRAPH_POOLED_CONVOLUTION_H_
