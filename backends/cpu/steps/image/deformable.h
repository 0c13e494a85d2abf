// DeformableConvolution of f32, as a product of matrices.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_DEFORMABLE_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_DEFORMABLE_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// In any version; reads and writes channels last. Weights may be an input.
absl::StatusOr<bool> EmitDeformableConvolution(const Node& node,
                                               PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_IMAGE_DEFORMABLE_H_
