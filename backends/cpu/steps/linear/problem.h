// A matrix product as its kernels see it.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_PROBLEM_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_PROBLEM_H_

#include <optional>

#include "dovetail/backends/common/linear/matrix_shapes.h"
#include "dovetail/backends/cpu/steps/common/integer_operands.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// A MatMul of f32, and its factors as they lie in memory.
struct MatMulProblem {
  const Node* node = nullptr;
  MatrixShapes shapes;
  // Where the factors are floats of bytes. The node's first input need not be
  // ready then.
  std::optional<IntegerOperands> integers;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_PROBLEM_H_
