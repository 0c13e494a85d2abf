// Constant factors of products, packed for the backend's own kernels.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_WEIGHTS_PACKED_WEIGHTS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_WEIGHTS_PACKED_WEIGHTS_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/common/linear/matrix_shapes.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// The matrices b of `shapes`, which are in the f32 tensor that `weights` is,
// one after the other; packed once for all plans that use them, when the plan
// is finished. Only for what IsWeightExpression.
absl::StatusOr<Operand> PackGemmWeights(Value weights,
                                        const MatrixShapes& shapes,
                                        PlanBuilder& builder);

// Whether another plan has packed them.
bool AreGemmWeightsPacked(Value weights, const MatrixShapes& shapes,
                          const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_WEIGHTS_PACKED_WEIGHTS_H_
