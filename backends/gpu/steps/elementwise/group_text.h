// The body of the kernel of a group of elementwise operations.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_GROUP_TEXT_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_GROUP_TEXT_H_

#include <string>
#include <vector>

#include "dovetail/backends/gpu/steps/elementwise/group_layout.h"
#include "dovetail/backends/gpu/steps/elementwise/group_operands.h"

namespace dovetail::gpu {

// Work items have `lanes` neighbouring elements of the walk's last extent, by
// the first number of theirs, one place of the extent before, by the second,
// and one of the others, by the third. The arguments: inputs x0, x1, ...;
// results y0, y1, ... of the nodes `results`; ints inner, rows and outer, which
// the numbers of items are below; extent1, ... but for the last two extents;
// strides stride0_0, ... of operand and extent, but for the last; where
// is_padded, channels, blocks, outer_of_block; numbers n0, n1, ....
std::string GroupBody(const GroupOperands& operands, const GroupLayout& layout,
                      const std::vector<const Node*>& results, int lanes);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_ELEMENTWISE_GROUP_TEXT_H_
