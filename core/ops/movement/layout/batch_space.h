// SpaceToBatch and BatchToSpace: blocks of elements, taken apart into batches
// and put together again.
#ifndef DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_BATCH_SPACE_H_
#define DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_BATCH_SPACE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Inputs: data, block_shape, pads_begin, pads_end: one number an axis, for the
// batch 1, 0 and 0. Each axis, padded with zeros, is split into (extent /
// block, block), and the blocks' axes go in front of the batch.
absl::Status InferSpaceToBatch(InferContext& context);

// Inputs: data, block_shape, crops_begin, crops_end. The other way round.
absl::Status InferBatchToSpace(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_MOVEMENT_LAYOUT_BATCH_SPACE_H_
