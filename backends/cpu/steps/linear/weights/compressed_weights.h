// Compressed weights of products: integers or floats of 4 bits with scales, or
// f16, as transformations/low_precision/weights/compressed_weights.h finds
// them.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_WEIGHTS_COMPRESSED_WEIGHTS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_WEIGHTS_COMPRESSED_WEIGHTS_H_

#include <functional>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/linear/matrix_shapes.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/linear/compressed_matrix.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

struct CompressedOperand {
  CompressedMatrix matrix;
  // Packs it once for all plans that use it, when the plan is finished.
  std::function<absl::StatusOr<Operand>(PlanBuilder& builder)> pack;
};

// The second factor of a MatMul. kUnimplemented says why it is none of these:
// weights of another form, more than one matrix.
absl::StatusOr<CompressedOperand> FindCompressedWeights(
    const Node& matmul, const MatrixShapes& shapes);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_WEIGHTS_COMPRESSED_WEIGHTS_H_
