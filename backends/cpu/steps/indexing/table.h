// Rows of the table of emitters: elements chosen by indices, and their order.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_TABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_TABLE_H_

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// To stand after MovementEmitters, which take a Gather that is a slice.
absl::Span<const EmitterRow> IndexingEmitters();

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_INDEXING_TABLE_H_
