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

// The plan's, but 0 where the layer is marked.
inline int64_t QuantizationGroupOf(const Node& node,
                                   const CompileSettings& settings) {
  return IsPrecise(node) ? 0 : settings.quantization_group;
}

// The compute type, but f32 where the machine multiplies that at least as fast: for
// layers that multiply far more than they read. Without tiles, some processors
// have dot products of bf16 that are slower than products of f32.
inline ElementType FasterTypeOf(const Node& node,
                                const CompileSettings& settings) {
  const ElementType type = ComputeTypeOf(node, settings);
  if (type == ElementType::kF32) return type;
  const MachineModel& machine = settings.machine_model();
  return machine.bf16 > machine.f32() ? type : ElementType::kF32;
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_COMPILER_COMPUTE_TYPE_OF_H_
