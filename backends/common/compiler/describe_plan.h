// Description of how the nodes of a plan's model run.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_DESCRIBE_PLAN_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_DESCRIBE_PLAN_H_

#include <optional>
#include <string>

#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/plugin/execution_info.h"

namespace dovetail {

// As StaticPlan::Describe. A node whose outputs are parts of other tensors has
// the kernel "view".
std::optional<ExecutionInfo> DescribeInPlan(const Plan& plan, const Node& node);

// A line for each step: node, kernel, type that it computes in, types and
// layouts that it stores, nodes that are computed with it, and the kernels that
// declined.
std::string PlanText(const Plan& plan);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_DESCRIBE_PLAN_H_
