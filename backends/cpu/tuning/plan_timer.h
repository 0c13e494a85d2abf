// Times plans by running them with inputs that are made up.
#ifndef DOVETAIL_BACKENDS_CPU_TUNING_PLAN_TIMER_H_
#define DOVETAIL_BACKENDS_CPU_TUNING_PLAN_TIMER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/core/executor/team/work_team.h"

namespace dovetail::cpu {

// Floating-point inputs are numbers from 0 to 1, others 0, which is a valid
// index; variables have their initial values. A plan that fails with these
// answers its error. Nobody else should use the team or, for figures that mean
// something, the processors.
class PlanTimer {
 public:
  // As the plans will run: in these threads, which outlive the timer, and with
  // denormal numbers as zeros or not.
  PlanTimer(WorkTeam& team, bool denormals_as_zeros)
      : team_(team), denormals_as_zeros_(denormals_as_zeros) {}

  // See TuningBench.
  absl::StatusOr<std::map<std::string, int64_t>> StepTimes(
      const std::shared_ptr<const Plan>& plan);
  absl::StatusOr<bool> IsFaster(const std::shared_ptr<const Plan>& plan,
                                const std::shared_ptr<const Plan>& other);

 private:
  WorkTeam& team_;
  const bool denormals_as_zeros_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_TUNING_PLAN_TIMER_H_
