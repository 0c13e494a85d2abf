// Matrix products of integers.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_INTEGER_MATMUL_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_INTEGER_MATMUL_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/linear/problem.h"

namespace dovetail::cpu {

// Products of bytes by oneDNN, with constant weights or of two computed
// factors. Sums are exact; scales, biases and what follows are post-operations
// on f32. Declines where floats are as fast, where sums may overflow, and
// products that oneDNN has no fast code for on this processor.
absl::StatusOr<KernelOffer> TryIntegerMatMul(const MatMulProblem& problem,
                                             const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_INTEGER_MATMUL_H_
