// The operands of an elementwise group and how a program walks over them.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_SWEEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_SWEEP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/backends/cpu/kernels/elementwise/elementwise_geometry.h"
#include "dovetail/core/graph/node.h"
#include "dovetail/core/tensor/shapes/shape.h"

namespace dovetail::cpu {

// A value that a program loads, under a shape that broadcasts to the group's.
struct SweepInput {
  Value value;
  Shape shape;
  friend bool operator==(const SweepInput&, const SweepInput&) = default;
};

// In which order the elements of a tensor of `shape` come in memory: its axes
// as `layout` has them, outermost first; blocks of channels are the last one.
std::vector<int64_t> StoredDims(const Shape& shape, Layout layout);

// The layout for all that a group writes: that of most of its inputs that have
// its shape, planar where there are none.
Layout ChooseLayout(const PlanBuilder& builder, const Shape& shape,
                    absl::Span<const SweepInput> inputs,
                    absl::Span<const Node* const> outputs);

// Whether each input can be read for a sweep in that layout without copying
// what is not constant at every step of it.
bool CanSweep(const PlanBuilder& builder, const Shape& shape, Layout layout,
              absl::Span<const SweepInput> inputs);

// Where an input lies, and its strides over StoredDims(shape, layout).
struct SweepOperand {
  Operand operand;
  ElementwiseStrides strides;
  bool is_constant = false;
};

// For a layout that CanSweep.
absl::StatusOr<SweepOperand> ReadForSweep(PlanBuilder& builder,
                                          const Shape& shape, Layout layout,
                                          const SweepInput& input);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_ELEMENTWISE_SWEEP_H_
