// Weights of products that stay in few bits: integers with scales, or f16, as
// transformations/low_precision/compressed_weights.h finds them.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_COMPRESSED_WEIGHTS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_COMPRESSED_WEIGHTS_H_

#include <optional>

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"
#include "dovetail/backends/cpu/steps/linear/matrix_shapes.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

struct CompressedOperand {
  CompressedMatrix matrix;
  Operand packed;
};

// The second factor of a MatMul, packed once for all plans that use it, when
// the plan is finished. Nothing for weights of other forms, and for more than
// one matrix.
absl::StatusOr<std::optional<CompressedOperand>> PackCompressedWeights(
    const Node& matmul, const MatrixShapes& shapes, PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_COMPRESSED_WEIGHTS_H_
