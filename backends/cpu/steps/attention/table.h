// Rows of the table of emitters: attention, and transpositions that it takes in.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_TABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Before those of movement.
absl::Span<const EmitterRow> AttentionEmitters();
// Come before ElementwiseEmitters and MovementEmitters, which take single nodes
// of what these take as a whole.
absl::Span<const EmitterRow> RotaryEmitters();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_TABLE_H_
