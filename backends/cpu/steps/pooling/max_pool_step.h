// Maximum pooling of integers as integer convolutions of this backend store
// them.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_POOLING_MAX_POOL_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_POOLING_MAX_POOL_STEP_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/kernel_list.h"
#include "dovetail/backends/cpu/steps/pooling/problem.h"

namespace dovetail::cpu {

// For bytes over two axes, in blocks of 8 channels, as the convolutions around
// it have them: oneDNN has code for channels-last only. Declines other data.
absl::StatusOr<KernelOffer> TryMaxPoolBytes(const PoolingProblem& problem,
                                            const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_POOLING_MAX_POOL_STEP_H_
