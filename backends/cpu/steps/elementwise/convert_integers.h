// Convert between integers, which floats would not hold.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_CONVERT_INTEGERS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_CONVERT_INTEGERS_H_

#include "dovetail/backends/cpu/compiler/emitter.h"

namespace dovetail::cpu {

// i32, i64 and boolean to another of them. To stand behind EmitElementwise.
absl::StatusOr<bool> EmitConvertIntegers(const Node& node,
                                         PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_CONVERT_INTEGERS_H_
