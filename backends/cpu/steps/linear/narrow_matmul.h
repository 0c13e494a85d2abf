// Matrix multiplications whose factors are rounded to a narrower type.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_NARROW_MATMUL_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_NARROW_MATMUL_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/steps/linear/matrix_shapes.h"
#include "dovetail/core/tensor/types/element_type.h"

namespace dovetail::cpu {

// A MatMul of f32 with constant weights by oneDNN, which multiplies numbers of
// `type`, bf16 (or f32), with what follows as post-operations; sums are f32.
// False: oneDNN has no fast code for it on this processor, or it is no single
// product of rows that follow each other.
absl::StatusOr<bool> EmitNarrowMatMul(const Node& node,
                                      const MatrixShapes& shapes,
                                      ElementType type, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_NARROW_MATMUL_H_
