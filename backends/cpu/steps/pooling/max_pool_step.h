// Maximum pooling of integers as integer convolutions of this backend store
// them.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_POOLING_MAX_POOL_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_POOLING_MAX_POOL_STEP_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/ops/common/window.h"

namespace dovetail::cpu {

// For bytes over two axes, in blocks of 8 channels, as the convolutions around it
// have them: oneDNN has code for channels-last only. False: the data are others,
// and nothing was added.
absl::StatusOr<bool> EmitMaxPoolOfBytes(
    const Node& node, PlanBuilder& builder,
    absl::Span<const dovetail::WindowAxis> axes);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_POOLING_MAX_POOL_STEP_H_
