// A step that copies the bytes of a tensor.
#ifndef DOVETAIL_BACKENDS_COMMON_STEPS_COPY_STEP_H_
#define DOVETAIL_BACKENDS_COMMON_STEPS_COPY_STEP_H_

#include <cstdint>

#include "absl/status/status.h"
#include "dovetail/backends/common/steps/step.h"

namespace dovetail {

// Of one input to one output, on all threads of the team.
class CopyStep : public Step {
 public:
  explicit CopyStep(int64_t bytes) : bytes_(bytes) {}

  absl::Status Run(const StepRun& run) const override;

 private:
  const int64_t bytes_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_STEPS_COPY_STEP_H_
