// Floats for kernels that do not read bytes.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_COMMON_FLOATS_OF_INTEGERS_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_COMMON_FLOATS_OF_INTEGERS_H_

#include "absl/status/status.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/steps/common/integer_operands.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// Makes the first input of a linear operation, whose data are those of
// `operands` less their zero point, in the layout in which they are stored;
// nothing if it is there.
absl::Status EmitFloatsOfIntegers(const Node& linear,
                                  const IntegerOperands& operands,
                                  PlanBuilder& builder);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_COMMON_FLOATS_OF_INTEGERS_H_
