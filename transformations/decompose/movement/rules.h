// Decompositions of operations that move elements: into Reshape, Transpose,
// Slice, Concat, Gather and Broadcast.
#ifndef DOVETAIL_TRANSFORMATIONS_DECOMPOSE_MOVEMENT_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_DECOMPOSE_MOVEMENT_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// Squeeze, Unsqueeze, Tile, Broadcast.
absl::Span<const NodeRule> ReshapingDecompositions();
// Split, VariadicSplit, StridedSlice, SliceScatter.
absl::Span<const NodeRule> SlicingDecompositions();
// Reverse, ReverseSequence, Roll, Pad.
absl::Span<const NodeRule> OrderDecompositions();
// Depth, batch and channels.
absl::Span<const NodeRule> BlockDecompositions();
// Eye, OneHot.
absl::Span<const NodeRule> FillingDecompositions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_DECOMPOSE_MOVEMENT_RULES_H_
