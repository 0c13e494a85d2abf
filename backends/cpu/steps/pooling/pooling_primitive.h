// Pooling by oneDNN.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_POOLING_POOLING_PRIMITIVE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_POOLING_POOLING_PRIMITIVE_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/pooling/problem.h"

namespace dovetail::cpu {

// In the layout of the data, unless oneDNN has generated code for others only.
// Declines windows that oneDNN does not have.
absl::StatusOr<KernelOffer> TryPoolingPrimitive(const PoolingProblem& problem,
                                                const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_POOLING_POOLING_PRIMITIVE_H_
