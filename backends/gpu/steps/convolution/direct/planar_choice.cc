#include "dovetail/backends/gpu/steps/convolution/direct/planar_choice.h"

#include <algorithm>
#include <vector>

#include "dovetail/backends/gpu/steps/convolution/common/float_problem.h"
#include "dovetail/backends/gpu/steps/convolution/common/phases.h"

namespace dovetail::gpu {
namespace {

// They leave half of a block of 16 empty.
constexpr int64_t kFewOutputs = 8;

bool HasRowVectors(const ConvolutionProblem& problem, int lanes) {
  const std::vector<AxisPhase> rows =
      AxisPhases(problem.axes[2], problem.transposed);
  return problem.groups == 1 &&
         std::all_of(rows.begin(), rows.end(), [&](const AxisPhase& phase) {
           return phase.stride == 1 && phase.count >= lanes;
         });
}

}  // namespace

bool HasFewOutputs(const ConvolutionProblem& problem, int lanes) {
  return problem.outputs <= kFewOutputs && HasRowVectors(problem, lanes);
}

bool WritesPlanar(const ConvolutionProblem& problem, Value result,
                  const PlanBuilder& builder) {
  const int lanes = builder.lanes().lanes;
  if (!HasRowVectors(problem, lanes)) return false;
  const bool is_few = problem.outputs <= kFewOutputs;
  const auto reads_planar = [&](const Use& use) {
    if (is_few && use.node->Is("Result")) return true;
    const auto user = FloatProblemOf(*use.node);
    return use.input == 0 && user.has_value() && user->groups == 1 &&
           (is_few || HasFewOutputs(*user, lanes));
  };
  const std::vector<Use>& uses = result.port().uses;
  return !uses.empty() && std::all_of(uses.begin(), uses.end(), reads_planar);
}

}  // namespace dovetail::gpu
