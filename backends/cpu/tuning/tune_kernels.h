// The search for kernels that are faster in their place than what estimates
// choose: CPU_TUNE.
#ifndef DOVETAIL_BACKENDS_CPU_TUNING_TUNE_KERNELS_H_
#define DOVETAIL_BACKENDS_CPU_TUNING_TUNE_KERNELS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/compiler/plan.h"
#include "dovetail/backends/cpu/compiler/kernel_choices.h"

namespace dovetail::cpu {

// What compiles plans of one model, and times them.
class TuningBench {
 public:
  virtual ~TuningBench() = default;

  // `offered` may be null.
  virtual absl::StatusOr<std::shared_ptr<const Plan>> Compile(
      const KernelChoices& choices, std::vector<OfferedKernels>* offered) = 0;

  // What the steps of each node, by its name, take in one inference, in
  // nanoseconds.
  virtual absl::StatusOr<std::map<std::string, int64_t>> StepTimes(
      const std::shared_ptr<const Plan>& plan) = 0;

  // Whether whole inferences of `plan` take less than those of `other`, by more
  // than measuring is unsure of.
  virtual absl::StatusOr<bool> IsFaster(
      const std::shared_ptr<const Plan>& plan,
      const std::shared_ptr<const Plan>& other) = 0;
};

struct TunedPlan {
  std::shared_ptr<const Plan> plan;
  KernelChoices choices;  // those that make the plan
};

// Nodes of equal problems get equal kernels. Those that take the most time come
// first, each kernel in turn in the whole network, so that copies between
// layouts count; nodes that together take less than a hundredth of the time
// keep theirs. All errors but those of compiling the first plan, such as of a
// plan that cannot run with the inputs at hand, end the search with what it has
// found.
absl::StatusOr<TunedPlan> TuneKernels(TuningBench& bench);

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_TUNING_TUNE_KERNELS_H_
