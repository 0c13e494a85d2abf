// Matrix multiplications by the backend's own kernels.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_OFFERS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_OFFERS_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/linear/problem.h"

namespace dovetail::cpu {

// All with the elementwise nodes that follow the product.

// By compressed weights, unpacked and rounded to bf16 by tiles, where that type
// is asked for; declines others, few rows, and machines without tiles.
absl::StatusOr<KernelOffer> TryUnpackedGemm(const MatMulProblem& problem,
                                            const PlanBuilder& builder);
// By compressed weights of integers, with rows that are quantized in each run
// (CompileSettings::quantization_group); declines others, and machines without
// dot products of bytes.
absl::StatusOr<KernelOffer> TryQuantizedGemm(const MatMulProblem& problem,
                                             const PlanBuilder& builder);
// By compressed weights; declines others.
absl::StatusOr<KernelOffer> TryCompressedGemm(const MatMulProblem& problem,
                                              const PlanBuilder& builder);
// One row by many constants of f32 as they lie in memory; declines where
// columns do not lie one after the other.
absl::StatusOr<KernelOffer> TryGemmInPlace(const MatMulProblem& problem,
                                           const PlanBuilder& builder);
// By a second factor of f32, packed when the plan is made or in each run. Takes
// every product.
absl::StatusOr<KernelOffer> TryGemm(const MatMulProblem& problem,
                                    const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_OFFERS_H_
