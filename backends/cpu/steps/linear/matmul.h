// MatMul.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_MATMUL_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_MATMUL_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// Of f32, with the elementwise nodes that follow it: by own kernels, or by
// oneDNN where factors are floats of bytes, or where numbers may be rounded to
// bf16 and weights are constant.
absl::StatusOr<bool> EmitMatMul(const Node& node, PlanBuilder& builder);

// Whether EmitMatMul reads bytes, from which it takes the zero point itself, in
// place of the node's first input, which need not be ready then.
bool MatMulReadsBytes(const Node& node);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_MATMUL_H_
