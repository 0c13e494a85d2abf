// Matrix multiplications whose factors are rounded to a narrower type.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_NARROW_MATMUL_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_NARROW_MATMUL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/isa/machine_model.h"
#include "dovetail/backends/cpu/steps/linear/problem.h"

namespace dovetail::cpu {

// Whether compressed weights of one matrix, [depth, columns], are unpacked when
// the plan is made, for TryNarrowMatMul to multiply `rows` rows with them: many
// rows by a matrix of which an L2 cache holds all.
bool AreUnpackedOnce(int64_t rows, int64_t depth, int64_t columns,
                     const MachineModel& machine);

// A product with constant weights by oneDNN, which multiplies numbers of the
// type that the settings ask for, bf16, with what follows as post-operations;
// sums are f32. Weights that are computed from constants are taken where they
// are several matrices, or AreUnpackedOnce. Declines what oneDNN has no fast
// code for on this processor, and products that lie unevenly apart.
absl::StatusOr<KernelOffer> TryNarrowMatMul(const MatMulProblem& problem,
                                            const PlanBuilder& builder);

// Up to kMaxFewRows rows with constant weights that oneDNN packs, by a kernel
// of its own that reads them as fast as memory: bf16, sums are f32. Declines
// more rows, and processors without dot products of bf16.
absl::StatusOr<KernelOffer> TryFewNarrowRows(const MatMulProblem& problem,
                                             const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_ONEDNN_NARROW_MATMUL_H_
