// Movements of elements that undo each other, or are one operation.
#ifndef DOVETAIL_TRANSFORMATIONS_FUSION_MOVEMENT_RULES_H_
#define DOVETAIL_TRANSFORMATIONS_FUSION_MOVEMENT_RULES_H_

#include "absl/types/span.h"
#include "dovetail/transformations/common/node_rules.h"

namespace dovetail {

// Activations before movements of sums that they are computed of: what computes
// the sums stores them activated. To be run behind all others.
absl::Span<const NodeRule> ActivationMovements();
// ShuffleChannels, DepthToSpace and SpaceToDepth out of Reshape, Transpose,
// Reshape.
absl::Span<const NodeRule> BlockFusions();
// Broadcast and Tile before what broadcasts itself.
absl::Span<const NodeRule> BroadcastFusions();
// A Gather that puts channels in another order before a convolution of constant
// weights, which take them as they are.
absl::Span<const NodeRule> ChannelOrderFusions();
// Concat of all parts of a Split.
absl::Span<const NodeRule> PartFusions();
// Reshape, Squeeze and Unsqueeze in a row, and on both sides of what does not
// care for shapes.
absl::Span<const NodeRule> ReshapeFusions();
// Flat ScatterNDUpdates at a slice of all elements' numbers as SliceScatter. For
// devices that run that.
absl::Span<const NodeRule> SliceAssignments();
// Transposes in a row, of extents 1 only, and on both sides of what works
// element by element.
absl::Span<const NodeRule> TransposeFusions();

}  // namespace dovetail

#endif  // DOVETAIL_TRANSFORMATIONS_FUSION_MOVEMENT_RULES_H_
