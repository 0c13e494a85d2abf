// How convolutions that read bf16 store what they compute.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_NARROW_RESULT_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_NARROW_RESULT_H_

#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// bf16 where all readers can do with it, or else as the plan stores the value.
ElementType NarrowResultType(Value result, const PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_CONVOLUTION_NARROW_RESULT_H_
