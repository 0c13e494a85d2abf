// The functions of instructions by group, each group a file.
#ifndef DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_INSTRUCTIONS_OP_FUNCTIONS_H_
#define DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_INSTRUCTIONS_OP_FUNCTIONS_H_

#include "dovetail/backends/cpu/kernels/elementwise/elementwise_op.h"
#include "dovetail/backends/cpu/kernels/elementwise/op_function.h"

namespace dovetail::cpu {

// Each answers the fastest function of this processor, or null if the
// instruction is none of the group.
OpFunction FindArithmetic(ElementwiseOp op);
OpFunction FindLogic(ElementwiseOp op);
OpFunction FindExponential(ElementwiseOp op);
OpFunction FindTrigonometric(ElementwiseOp op);
OpFunction FindQuantization(ElementwiseOp op);
OpFunction FindScalar(ElementwiseOp op);  // one element at a time

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_KERNELS_ELEMENTWISE_INSTRUCTIONS_OP_FUNCTIONS_H_
