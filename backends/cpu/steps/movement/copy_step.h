// A step that copies elements from regular places to regular places.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_COPY_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_COPY_STEP_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/ops/common/strided_view.h"

namespace dovetail::cpu {

// All elements of `from`, a view of one of a step's inputs, go to `to`, a view
// of one of its outputs of the same shape.
struct ViewCopy {
  StridedView from, to;
  int input = 0;
  int output = 0;
};

// A step that does all copies; the type IsCopied.
absl::StatusOr<std::unique_ptr<Step>> MakeCopyStep(
    ElementType type, absl::Span<const ViewCopy> copies);

// Adds a step for one copy from `input` to `output`.
absl::Status AddCopy(const Node& node, PlanBuilder& builder,
                     const StridedView& from, const Operand& input,
                     const StridedView& to, const Operand& output);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_MOVEMENT_COPY_STEP_H_
