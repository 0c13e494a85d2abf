// What offers of the backend's own matrix products have in common.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_EMISSION_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_EMISSION_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/steps/linear/gemm_options.h"
#include "dovetail/backends/cpu/steps/linear/problem.h"
#include "dovetail/backends/cpu/steps/linear/weights/compressed_weights.h"

namespace dovetail::cpu {

// Threads and shapes.
GemmStepOptions GemmOptionsOf(const MatMulProblem& problem,
                              const PlanBuilder& builder);

// The compressed weights of the product; kUnimplemented for others.
absl::StatusOr<CompressedOperand> CompressedWeightsOf(
    const MatMulProblem& problem);

// Adds a GemmStep whose factors are `inputs`, with the elementwise nodes that
// follow the product.
absl::Status EmitGemm(const MatMulProblem& problem, absl::string_view kernel,
                      GemmStepOptions options, std::vector<Operand> inputs,
                      PlanBuilder& builder);

// The same of narrow rows: reads the first factor, as it is where that is bf16
// and else as f32, and the second one by `weights`.
absl::Status EmitNarrowGemm(
    const MatMulProblem& problem, absl::string_view kernel,
    GemmStepOptions options,
    absl::FunctionRef<absl::StatusOr<Operand>(PlanBuilder&)> weights,
    PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_LINEAR_GEMM_EMISSION_H_
