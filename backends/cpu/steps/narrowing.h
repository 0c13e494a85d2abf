// Which values a plan stores as bf16: what the steps make of
// compiler/narrow_values.h.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_NARROWING_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_NARROWING_H_

#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/narrow_values.h"
#include "dovetail/backends/cpu/compiler/settings.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// None where the plan computes in f32. `order` is topological.
NarrowValues FindNarrowValues(absl::Span<Node* const> order,
                              const CompileSettings& settings);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_NARROWING_H_
