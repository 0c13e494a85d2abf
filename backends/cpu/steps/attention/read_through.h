// Matrices that are read where another tensor lies: Transpose, Reshape, Gather
// of one index and Split need not run when only attention reads what they give.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_READ_THROUGH_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_READ_THROUGH_H_

#include <optional>

#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/ops/common/strided_view.h"

namespace dovetail::cpu {

// A value's elements as some of those of `base`, in row-major order.
struct ReadThrough {
  Value base;
  StridedView view;
};

// So many nodes are skipped, or looked at behind such nodes, at most: the second
// more than the first, so that what is skipped is always read behind.
inline constexpr int kMaxSkipped = 8;
inline constexpr int kMaxReadThrough = 32;

// As far behind the value as such nodes reach and something is stored; the
// value itself where there are none.
ReadThrough FindSource(Value value, const PlanBuilder& builder,
                       int nodes = kMaxReadThrough);

// Whether rows of the value, its last axis, can be read behind it.
bool HasDenseRows(const ReadThrough& source);

// The view's elements in another shape, C order kept; nothing when they have no
// strides in it.
std::optional<StridedView> Reshaped(const StridedView& view, const Shape& to);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ATTENTION_READ_THROUGH_H_
