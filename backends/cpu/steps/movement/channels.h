// Values that concatenations, splits and shuffles of channels make together.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_CHANNELS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_CHANNELS_H_

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/channel_moves.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Those that cut the blocks of channels of this machine's convolutions.
ChannelMoves FindChannelMoves(absl::Span<Node* const> order);

// Makes what others read of a node of the builder's ChannelMoves, if anything.
absl::StatusOr<bool> EmitChannelMove(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_CHANNELS_H_
