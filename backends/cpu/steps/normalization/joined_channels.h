// Batch normalization behind a concatenation of channels, as DenseNets have it.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_JOINED_CHANNELS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_JOINED_CHANNELS_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// A Concat of channels that nobody reads but a scale, a shift and limits of
// each channel, with these: parts that lie channels last are read where they
// are.
absl::StatusOr<bool> EmitJoinedChannels(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NORMALIZATION_JOINED_CHANNELS_H_
