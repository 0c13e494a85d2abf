// Transpose, SpaceToDepth, DepthToSpace, ShuffleChannels, Reverse, Broadcast
// and Tile: all elements in another order, or several times.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_TRANSPOSES_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_TRANSPOSES_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitTranspose(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitDepthToSpace(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitSpaceToDepth(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitShuffleChannels(const Node& node,
                                         PlanBuilder& builder);
// Numpy and bidirectional; declines others.
absl::StatusOr<bool> EmitBroadcast(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitTile(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_TRANSPOSES_H_
