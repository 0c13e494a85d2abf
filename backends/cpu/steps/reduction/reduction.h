// Reductions of f32 along any axes, averages of bytes, in the layout of the
// data where the axes are spatial ones.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_REDUCTION_REDUCTION_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_REDUCTION_REDUCTION_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

absl::StatusOr<bool> EmitReduction(const Node& node, PlanBuilder& builder);

// Whether it is an average that is computed of the bytes from which its data
// are dequantized.
bool ReductionReadsBytes(const Node& node);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_REDUCTION_REDUCTION_H_
