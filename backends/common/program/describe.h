// Description of how the nodes of a model run, as far as its program knows by
// now.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_DESCRIBE_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_DESCRIBE_H_

#include "dovetail/backends/common/program/program.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/plugin/execution_info.h"

namespace dovetail {

// Of a node of program.model(). What has unknown shapes is described as it ran
// for those that were asked for last; before the first inference nothing is
// known of it. A node whose outputs are parts of other tensors has the kernel
// "view"; one that a step reads through is fused into that. Thread-safe.
ExecutionInfo DescribeNode(const Program& program, const Node& node);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_DESCRIBE_H_
