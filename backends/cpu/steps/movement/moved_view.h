// Operations whose output is a regular selection of their input's elements.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_MOVED_VIEW_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_MOVED_VIEW_H_

#include "absl/status/status.h"
#include "dovetail/backends/common/compiler/moved_view.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/ops/common/strided_view.h"

namespace dovetail::cpu {

// Output `output` of the node has the elements of `source`, whose elements are
// those of `operand`'s memory, in C order of the view: where they already lie
// so, planar or channels-last, nothing has to run; else they are copied.
absl::Status EmitMovedView(const Node& node, PlanBuilder& builder,
                           const Operand& operand, const StridedView& source,
                           int output = 0);

// The strides of planar or channels-last memory, in the order of the shape.
StridedView ViewInLayout(const Shape& shape, Layout layout);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_MOVED_VIEW_H_
