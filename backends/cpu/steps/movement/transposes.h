// Transpose, SpaceToDepth, DepthToSpace, ShuffleChannels, Broadcast and Tile:
// all elements in another order, or several times.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_TRANSPOSES_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_TRANSPOSES_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitTranspose(const Node& node, PlanBuilder& builder);
// The others, from planar elements.
absl::StatusOr<bool> EmitPlanarView(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_TRANSPOSES_H_
