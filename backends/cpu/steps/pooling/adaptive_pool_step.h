// Adaptive poolings whose windows are of several sizes.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_POOLING_ADAPTIVE_POOL_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_POOLING_ADAPTIVE_POOL_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/pooling/problem.h"

namespace dovetail::cpu {

absl::StatusOr<KernelOffer> TryAdaptivePool(const AdaptiveProblem& problem,
                                            const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_POOLING_ADAPTIVE_POOL_STEP_H_
