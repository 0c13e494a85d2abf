// GatherTree: the sequences of a beam search, from their last steps back.
#ifndef DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_TREE_H_
#define DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_TREE_H_

#include "absl/status/status.h"
#include "dovetail/core/graph/infer_context.h"

namespace dovetail {

// Inputs, all of one type: step_ids [T,B,W], parent_ids [T,B,W], max_seq_len
// [B], end_token (a scalar).
absl::Status InferGatherTree(InferContext& context);

}  // namespace dovetail

#endif  // DOVETAIL_CORE_OPS_INDEXING_GATHER_GATHER_TREE_H_
