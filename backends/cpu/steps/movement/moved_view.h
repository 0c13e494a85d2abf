// Operations whose output is a regular selection of their input's elements.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_MOVED_VIEW_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_MOVED_VIEW_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
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

// Axis `axis` of a tensor in a layout, as an axis of StoredDims.
int StoredAxis(int axis, int rank, Layout layout);
// The extents of a tensor in the order of memory, outermost first; blocks of
// channels are the last axis.
Shape StoredShape(const Shape& shape, Layout layout);

// The strides of planar or channels-last memory, in the order of the shape.
StridedView ViewInLayout(const Shape& shape, Layout layout);

// The elements of a constant input; nothing when it is computed.
std::optional<std::vector<int64_t>> ConstantList(const Node& node, int input);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_MOVED_VIEW_H_
