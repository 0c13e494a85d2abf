// Where values are copied from one layout to another, decided for a whole plan.
//
// Emitters look at one node after the other: a step that takes any layout takes
// that of what it reads, so a copy comes as late as it can. Later may be worse:
// after a value has grown, as behind an Interpolate, or once in each of several
// branches. So, where a plan has copies, it is drafted once for each layout
// that occurs in it, as if everything were found in that one, to see what each
// step would do; the cut of least cost between the layouts (LayoutProblem) then
// says which steps see which, and the plan is made again.
#ifndef DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_PLACE_REORDERS_H_
#define DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_PLACE_REORDERS_H_

#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/layouts/layout_draft.h"
#include "dovetail/backends/common/compiler/plan_builder_base.h"
#include "dovetail/core/graph/model.h"

namespace dovetail {

// Makes a builder that has had Follow(request), and emits all nodes of the
// model.
using EmitPlanFn =
    absl::FunctionRef<absl::StatusOr<std::unique_ptr<PlanBuilderBase>>(
        EmissionRequest request)>;

// A builder to be finished: of the plan with the best wishes, or with none
// where these spare less than a hundredth of what is read and written.
absl::StatusOr<std::unique_ptr<PlanBuilderBase>> EmitWithReorders(
    const Model& model, EmitPlanFn emit);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_COMPILER_LAYOUTS_PLACE_REORDERS_H_
