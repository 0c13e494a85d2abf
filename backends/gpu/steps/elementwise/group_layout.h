// How the kernel of a group of elementwise operations lies over memory.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_GROUP_LAYOUT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_GROUP_LAYOUT_H_

#include <cstdint>

#include "dovetail/backends/common/compiler/layout.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/backends/gpu/steps/elementwise/broadcast_walk.h"
#include "dovetail/backends/gpu/steps/elementwise/group_operands.h"

namespace dovetail::gpu {

struct GroupLayout {
  GroupLayout(const GroupOperands& operands, const Shape& shape,
              const PlanBuilder& builder);

  // The format in which an input is read; results are stored in `layout`.
  Format FormatOf(const GroupInput& input) const;

  Layout layout = Layout::kPlanar;
  ElementType float_type;  // in which results of f32 are stored
  // Of the inputs, and then of the results.
  BroadcastWalk walk;
  // Whether lanes behind the last channel are written as zeros: of so many
  // channels in so many blocks, each of so many outer places of the walk.
  bool is_padded = false;
  int64_t channels = 0, blocks = 0, outer_of_block = 0;
};

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_GROUP_LAYOUT_H_
