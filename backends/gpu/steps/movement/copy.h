// Kernels that copy elements from regular places to regular places.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_COPY_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_COPY_H_

#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/core/ops/common/strided_view.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::gpu {

// A view of an operand's memory: its strides count elements.
struct Place {
  StridedView view;
  Operand operand;
};

// Adds a launch that copies all elements of `from` to `to`, a view of the same
// shape; both operands have one format's type.
void AddCopy(const Node& node, PlanBuilder& builder, Place from, Place to);

// Appends statements that take the number `rest` of a position in a shape apart
// and add up what the axes, the arguments extent0, extent1, …, contribute by
// their strides to the ints `from` and `to`.
void AddAxes(Launch& launch, const StridedView& from, const StridedView& to);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_MOVEMENT_COPY_H_
