// A MatMul as kernels see it.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_PROBLEM_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_PROBLEM_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/linear/matrix_shapes.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

struct MatMulProblem {
  const Node* node = nullptr;
  MatrixShapes shapes;
  // Of the result, along which the columns of products lie; none: past the
  // last one.
  int column_axis = -1;
};

std::optional<MatMulProblem> MatMulProblemOf(const Node& node);

// Adds numbers, of less than 32 bits, as a constant of int.
absl::StatusOr<Operand> AddInts(absl::Span<const int64_t> numbers,
                                PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_PROBLEM_H_
