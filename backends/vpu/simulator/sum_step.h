// Sums of two tensors in the simulator.
#ifndef DOVETAIL_BACKENDS_VPU_SIMULATOR_SUM_STEP_H_
#define DOVETAIL_BACKENDS_VPU_SIMULATOR_SUM_STEP_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::vpu {

// Adds a step for a sum of two f16 tensors of one shape, with the activation
// behind it. False: this is none, and nothing was added. Profiles show
// `kernel`.
absl::StatusOr<bool> AddSumStep(const Node& node, absl::string_view kernel,
                                PlanBuilderBase& builder);

}  // namespace dovetail::vpu

#endif  // DOVETAIL_BACKENDS_VPU_SIMULATOR_SUM_STEP_H_
