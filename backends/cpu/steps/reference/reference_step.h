// Steps that run the reference kernel of an operation.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_REFERENCE_REFERENCE_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_REFERENCE_REFERENCE_STEP_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/cpu/compiler/plan_builder.h"
#include "dovetail/core/graph/node.h"

namespace dovetail::cpu {

// For any node that has a reference kernel; all tensors are planar and of the
// model's types.
absl::Status EmitReference(const Node& node, PlanBuilder& builder);

// MakeReorderFn for all types: oneDNN's where it has the types, else a copy or
// a plain conversion of planar tensors.
absl::StatusOr<std::unique_ptr<Step>> MakeReorder(
    const Shape& shape, const Format& from, const Format& to,
    const CompileSettings& settings);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_REFERENCE_REFERENCE_STEP_H_
