// A run of a specialised model that is more than one plan.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_SPECIALIZED_RUN_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_SPECIALIZED_RUN_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/common/program/variables/variable_gather.h"
#include "dovetail/core/tensor/growing_memory.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail {

class SpecializedRun {
 public:
  // All outlive this. `segment_states`, one for each segment, `slots` and
  // `body_states` keep their memory from run to run.
  SpecializedRun(const SpecializedModel& specialized, PlanCompiler& compiler,
                 absl::Span<const std::unique_ptr<ProgramState>> segment_states,
                 std::vector<Tensor>& slots,
                 std::vector<BodyPrograms::States>& body_states,
                 std::vector<GrowingMemory>& variable_memory,
                 RunEnvironment& environment);

  // `plan` may be null, as the model's.
  absl::Status Run(absl::Span<const Tensor> inputs, StaticPlan::Instance* plan,
                   PlaceOutputFn place_output);

 private:
  absl::Status RunPlan(StaticPlan::Instance& plan);
  // Memory for what becomes a slot's value.
  absl::StatusOr<Tensor> Allocate(int slot, ElementType type,
                                  const Shape& shape);
  absl::Status RunBarrier(const SpecializedModel::Barrier& barrier,
                          BodyPrograms::States& states);
  absl::Status RunSegment(int number);
  absl::Status StoreOutputs(PlaceOutputFn place_output);

  // ---- Variables ----

  absl::Status LoadVariables(absl::Span<const Tensor> inputs);
  // Into the slot of variable number i.
  absl::Status LoadVariable(size_t i, const Tensor& value);
  // What the program reads of variable number i.
  absl::StatusOr<Tensor> Gathered(size_t i, const VariableGather& gather,
                                  const Tensor& value);
  // In place of those that have no value yet.
  absl::Status LoadInitialValues(absl::Span<const Tensor> inputs);
  absl::Status StoreVariables();

  const SpecializedModel& specialized_;
  PlanCompiler& compiler_;
  const absl::Span<const std::unique_ptr<ProgramState>> segment_states_;
  std::vector<Tensor>& slots_;
  std::vector<BodyPrograms::States>& body_states_;
  std::vector<GrowingMemory>& variable_memory_;  // of each variable
  RunEnvironment& environment_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_SPECIALIZED_RUN_H_
