// Matrices that are read where another tensor lies: Transpose, Reshape, Gather
// of one index, Split and the Broadcast that repeats heads need not run when
// only attention reads what they give.
#ifndef DOVETAIL_BACKENDS_COMMON_LINEAR_READ_THROUGH_H_
#define DOVETAIL_BACKENDS_COMMON_LINEAR_READ_THROUGH_H_

#include <functional>
#include <optional>

#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/ops/common/strided_view.h"

namespace dovetail {

// A value's elements as some of those of `base`, in row-major order. The view's
// last axis is the value's, the others may be cut more finely; then the last
// two are the value's.
struct ReadThrough {
  Value base;
  StridedView view;
};

// As far behind the value as such nodes reach and something is stored; the
// value itself where there are none.
ReadThrough FindSource(Value value, const PlanBuilderBase& builder);

// Whether rows of the value, its last axis, can be read behind it.
bool HasDenseRows(const ReadThrough& source);

// Whether all that reads the node's outputs, of f32, or what a few further
// nodes make of them, is a use that `is_reader` takes, and has its rows where
// they lie: the node then needs no step.
bool IsReadThrough(const Node& node, const PlanBuilderBase& builder,
                   const std::function<bool(const Use&)>& is_reader);

// The view's elements in another shape, C order kept; nothing when they have no
// strides in it.
std::optional<StridedView> Reshaped(const StridedView& view, const Shape& to);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_LINEAR_READ_THROUGH_H_
