// Matrix multiplications whose factors are rounded to a narrower type.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_NARROW_MATMUL_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_NARROW_MATMUL_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/linear/problem.h"

namespace dovetail::cpu {

// A product with constant weights by oneDNN, which multiplies numbers of the
// type that the settings ask for, bf16, with what follows as post-operations;
// sums are f32. Declines what oneDNN has no fast code for on this processor,
// and what is no single product of rows that follow each other.
absl::StatusOr<KernelOffer> TryNarrowMatMul(const MatMulProblem& problem,
                                            const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_NARROW_MATMUL_H_
