// Rows of the table of emitters: signals.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_SIGNAL_TABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_SIGNAL_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> SignalEmitters();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_SIGNAL_TABLE_H_
