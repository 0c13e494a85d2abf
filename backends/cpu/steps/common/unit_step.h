// Steps that run a kernel on units of work that do not depend on each other.
#ifndef DOVETAIL_BACKENDS_CPU_STEPS_COMMON_UNIT_STEP_H_
#define DOVETAIL_BACKENDS_CPU_STEPS_COMMON_UNIT_STEP_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "dovetail/backends/common/steps/step.h"
#include "dovetail/core/executor/parallel_for.h"

namespace dovetail::cpu {

// What is worth waking a thread for, in elements of which each is read two or
// three times.
inline constexpr int64_t kElementsAtATime = 1 << 13;

// `fn(run, begin, end)` computes units [begin, end).
template <typename Fn>
class UnitStep : public Step {
 public:
  UnitStep(Fn fn, int64_t units, int64_t elements)
      : fn_(std::move(fn)),
        units_(units),
        grain_(std::max<int64_t>(
            1, kElementsAtATime * units / std::max<int64_t>(1, elements))) {}

  absl::Status Run(const StepRun& run) const override {
    ParallelFor(run.environment->team(), units_, grain_,
                [&](int64_t begin, int64_t end) { fn_(run, begin, end); });
    return absl::OkStatus();
  }

 private:
  const Fn fn_;
  const int64_t units_, grain_;
};

// `elements` is the number of all of them.
template <typename Fn>
std::unique_ptr<Step> MakeUnitStep(int64_t units, int64_t elements, Fn fn) {
  return std::make_unique<UnitStep<Fn>>(std::move(fn), units, elements);
}

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_STEPS_COMMON_UNIT_STEP_H_
