// Rows of the table of emitters: recurrent cells and sequences.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_RECURRENT_TABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_RECURRENT_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> RecurrentEmitters();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_RECURRENT_TABLE_H_
