// Rows of the table of emitters: matrix multiplications and what
// their weights are made by.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_TABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Before all others: weights that are computed from constants are no steps.
absl::Span<const EmitterRow> LinearEmitters();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_TABLE_H_
