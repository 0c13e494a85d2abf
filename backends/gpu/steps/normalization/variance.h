// Normalizations by what elements, or their squares, amount to.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_NORMALIZATION_VARIANCE_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_NORMALIZATION_VARIANCE_H_

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"

namespace dovetail::gpu {

// Of f32, along constant axes; with a scale and a shift of constants behind it,
// as layer and instance normalization have.
absl::StatusOr<bool> EmitMvn(const Node& node, PlanBuilder& builder);
absl::StatusOr<bool> EmitGroupNormalization(const Node& node,
                                            PlanBuilder& builder);
absl::StatusOr<bool> EmitNormalizeL2(const Node& node, PlanBuilder& builder);
// The normalization that begins with a square, along the last axis
// (rms_norm_pattern.h).
absl::StatusOr<bool> EmitRmsNorm(const Node& node, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_NORMALIZATION_VARIANCE_H_
