// Constants of one float for each channel.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_CHANNEL_CONSTANTS_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_CHANNEL_CONSTANTS_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/common/fusion/epilogue.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"

namespace dovetail::cpu {

// Padded with zeros to whole vectors, which generated code reads. No operand
// for an empty vector.
absl::StatusOr<Operand> AddChannelConstants(PlanBuilder& builder,
                                            const ChannelVector& channels);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_CHANNEL_CONSTANTS_H_
