// In what type a single layer multiplies.
#ifndef DOVETAIL_BACKENDS_CPU_COMPILER_COMPUTE_TYPE_OF_H_
#define DOVETAIL_BACKENDS_CPU_COMPILER_COMPUTE_TYPE_OF_H_

#include "dovetail/backends/cpu/compiler/settings.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/transformations/common/precise.h"

namespace dovetail::cpu {

// The plan's, but f32 where the layer is marked (transformations/common).
inline ElementType ComputeTypeOf(const Node& node,
                                 const CompileSettings& settings) {
  return IsPrecise(node) ? ElementType::kF32 : settings.compute_type;
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_COMPUTE_TYPE_OF_H_
