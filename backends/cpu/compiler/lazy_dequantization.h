// Nodes that are emitted when somebody needs them, and not in their turn.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_LAZY_DEQUANTIZATION_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_LAZY_DEQUANTIZATION_H_

#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// What makes floats of bytes: Convert from u8 or i8, and Subtract and Multiply
// by constants behind it; not of constants. Steps that compute with the bytes
// themselves, and take the operations that would read the floats, leave nothing
// to do for it.
bool IsLazyDequantization(const Node& node);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_LAZY_DEQUANTIZATION_H_
