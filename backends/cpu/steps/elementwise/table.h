// Rows of the table of emitters: operations element by element.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_TABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::Span<const EmitterRow> ElementwiseEmitters();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_TABLE_H_
