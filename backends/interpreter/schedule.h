// The order in which nodes of a model run, and how long each tensor is needed.
#ifndef DOVETAIL_BACKENDS_INTERPRETER_SCHEDULE_H_
#define DOVETAIL_BACKENDS_INTERPRETER_SCHEDULE_H_

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "dovetail/backends/common/plan/step_label.h"
#include "dovetail/core/graph/model.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

// Tensors lie in numbered slots, one for each output of each node.
struct Schedule {
  // One node that runs; neither Parameter, Constant nor Result.
  struct Step {
    const Node* node;
    StepLabel label;
    std::vector<int> inputs;  // slots; -1: an input that is left open
    int first_output;         // slot of output 0; the others follow
    // For each output, the first result that reads it, or -1.
    std::vector<int> results;
    // Slots that nobody needs once the step has run.
    std::vector<int> frees;
  };

  std::vector<Step> steps;  // in order of execution
  int slot_count = 0;
  std::vector<std::pair<int, Tensor>> constants;  // slot and value
  std::vector<int> parameters;                    // slots, in model order
  std::vector<int> results;                       // slots, in model order
};

// Leaves out nodes that nobody reads, unless they have side effects. The model
// has to outlive the schedule. kInvalidArgument for a cycle.
absl::StatusOr<Schedule> MakeSchedule(const Model& model);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_INTERPRETER_SCHEDULE_H_
