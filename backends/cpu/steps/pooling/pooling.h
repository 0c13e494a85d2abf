// MaxPool, AvgPool and AdaptiveAvgPool on oneDNN, in the layout of the data.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_POOLING_POOLING_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_POOLING_POOLING_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/ops/common/window.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace dovetail::cpu {

// Any version, if nobody reads the indices.
absl::StatusOr<bool> EmitMaxPool(const Node& node, PlanBuilder& builder);
// Floats, any version.
absl::StatusOr<bool> EmitAvgPool(const Node& node, PlanBuilder& builder);
// Floats, where the windows are all of one size.
absl::StatusOr<bool> EmitAdaptiveAvgPool(const Node& node,
                                         PlanBuilder& builder);

// A step for `node` that pools its input 0, of f32 (or u8 and i8 for maxima),
// [N, C, spatial …], to its output 0 by windows along the spatial axes. False:
// oneDNN cannot, and nothing was added.
absl::StatusOr<bool> EmitPooling(const Node& node, PlanBuilder& builder,
                                 dnnl::algorithm algorithm,
                                 absl::Span<const WindowAxis> axes);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_POOLING_POOLING_H_
