#include "dovetail/backends/cpu/kernels/elementwise/instructions/op_functions.h"

namespace dovetail::cpu {

OpFunction FindOpFunction(ElementwiseOp op) {
  for (const auto find : {FindArithmetic, FindLogic, FindExponential,
                          FindTrigonometric, FindQuantization, FindScalar}) {
    if (const OpFunction function = find(op)) return function;
  }
  return nullptr;
}

}  // namespace dovetail::cpu
