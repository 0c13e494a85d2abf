// A scale and a shift by constants that follow a normalization.
#ifndef DOVETAIL_BACKENDS_COMMON_FUSION_SCALE_AND_SHIFT_H_
#define DOVETAIL_BACKENDS_COMMON_FUSION_SCALE_AND_SHIFT_H_

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/core/graph/node.h"

namespace dovetail {

// Whether a constant of shape `own` has one number for each place in the row of
// trailing axes from `first_axis` on.
bool RepeatsByRow(const Shape& own, const Shape& shape, int first_axis);
// Whether it has one for each channel, axis 1.
bool RepeatsByChannel(const Shape& own, const Shape& shape);

// A Multiply and an Add of f32 constants behind a node, or one of them. An
// operand without a buffer is not there.
struct ScaleAndShift {
  const Node* last;
  PlanOperand scale, shift;
};

// Whether there is one of a constant whose shape `fits`.
bool HasScaleOrShift(const Node& node,
                     absl::FunctionRef<bool(const Shape& own)> fits);

// Fuses those that there are.
absl::StatusOr<ScaleAndShift> FuseScaleAndShift(
    const Node& node, PlanBuilderBase& builder,
    absl::FunctionRef<bool(const Shape& own)> fits);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_FUSION_SCALE_AND_SHIFT_H_
