// A step of a plan that the host runs: one primitive or kernel on tensors of
// fixed shapes, types and layouts.
#ifndef DOVETAIL_BACKENDS_COMMON_STEPS_STEP_H_
#define DOVETAIL_BACKENDS_COMMON_STEPS_STEP_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/backends/common/plan/run_environment.h"

namespace dovetail {

// What a step keeps between runs in one context, such as handles that point to
// the tensors. Made when the context is made, so that a run allocates nothing.
class StepState {
 public:
  virtual ~StepState() = default;
};

// One run of a step. Pointers are to the first elements, in the order in which
// the step was given its operands; they are aligned to 64 bytes unless they are
// the user's own or views into other tensors.
struct StepRun {
  absl::Span<void* const> inputs;
  absl::Span<void* const> outputs;
  void* scratch;     // as many bytes as the step asked for; aligned
  StepState* state;  // what NewState made
  RunEnvironment* environment;

  template <typename T>
  const T* input(int i) const {
    return static_cast<const T*>(inputs[i]);
  }
  template <typename T>
  T* output(int i = 0) const {
    return static_cast<T*>(outputs[i]);
  }
};

// Immutable and shared by all contexts, which run it at the same time.
class Step : public PlanStep {
 public:
  virtual std::unique_ptr<StepState> NewState() const { return nullptr; }
  // Nothing in it throws. Steady runs allocate nothing.
  virtual absl::Status Run(const StepRun& run) const = 0;
};

// The step of a plan whose steps all are of the host.
inline const Step& StepOf(const PlannedStep& planned) {
  return static_cast<const Step&>(*planned.step);
}

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_STEPS_STEP_H_
