// The second factors of products in panels: as many columns side by side as a
// work item computes.
#ifndef DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_PANELS_H_
#define DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_PANELS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/backends/gpu/steps/linear/problem.h"

namespace dovetail::gpu {

// [matrix, panel, depth, columns of a panel], zeros past the last column.
struct PanelForm {
  int64_t matrices = 1, depth = 1, columns = 1;
  int64_t width = 32;                      // of a panel
  ElementType stored = ElementType::kF32;  // or f16

  int64_t panels() const { return (columns + width - 1) / width; }
  int64_t matrix_floats() const { return panels() * depth * width; }
  int64_t floats() const { return matrices * matrix_floats(); }
  int64_t bytes() const { return floats() * BitWidth(stored) / 8; }
};

PanelForm PanelFormOf(const MatrixShapes& shapes, int64_t width,
                      ElementType stored);

// Constants, and weight expressions (backends/common/linear) that no step has
// computed, are packed once for all; of other factors a launch makes panels.
absl::StatusOr<Operand> ReadPanels(const MatMulProblem& problem,
                                   const PanelForm& form, PlanBuilder& builder);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_STEPS_LINEAR_PANELS_H_
