// From a model of static shapes to a plan.
#ifndef DOVETAIL_BACKENDS_GPU_COMPILER_COMPILE_PLAN_H_
#define DOVETAIL_BACKENDS_GPU_COMPILER_COMPILE_PLAN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "dovetail/backends/gpu/compiler/emitter.h"
#include "dovetail/backends/gpu/compiler/plan_builder.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/graph/model.h"

namespace dovetail::gpu {

// Nodes are emitted in topological order, by `emit`, and those that it does not
// take are left to the host. The plan keeps the model alive. All shapes of the
// model are static, bodies aside. Errors name the layer. `beside` as in
// PlanBuilder::Finish.
absl::StatusOr<std::shared_ptr<const Plan>> CompilePlan(
    std::shared_ptr<const Model> model, const CompileSettings& settings,
    EmitFn emit, WeightsCache& weights, WorkTeam& team,
    const PlanBuilder::BesidePacking& beside = nullptr);

}  // namespace dovetail::gpu

#endif  // DOVETAIL_BACKENDS_GPU_COMPILER_COMPILE_PLAN_H_
