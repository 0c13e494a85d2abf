// MatMul.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_MATMUL_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_MATMUL_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Of f32, with the elementwise nodes that follow it: by own kernels, or where
// numbers may be rounded to bf16 and weights are constant by oneDNN.
absl::StatusOr<bool> EmitMatMul(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_MATMUL_H_
