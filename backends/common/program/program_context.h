// One inference at a time of a Program, as one stage.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_PROGRAM_CONTEXT_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_PROGRAM_CONTEXT_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/common/host/host_context.h"
#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/common/program/state_pool.h"
#include "dovetail/core/executor/pools/streams_executor.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// What an executable gives its contexts; all of it outlives them.
struct ProgramContextParts {
  absl::string_view device;
  const Executable& executable;
  const Program& program;
  const std::vector<VariableInfo>& variables;
  const VariableTypes& variable_types;
  const std::vector<LayerName>& optimized_out;
  // What the program's plan compiler says.
  FindKernelFn find_kernel;
  // Of which contexts take a state for each run; null: each has its own.
  ProgramStatePool* states = nullptr;
  // Whether denormal numbers count as zeros in an inference.
  bool denormals_as_zeros = false;
  // Whether inferences take processors of the host, for which they wait in turn
  // with others; not where another device computes.
  bool takes_turns = true;
};

class ProgramContext : public HostContext {
 public:
  // Runs in `stream`, which outlives the context.
  ProgramContext(const ProgramContextParts& parts,
                 StreamsExecutor::Stream& stream);

  std::vector<ProfilingRecord> profiling() const override;

 protected:
  RunEnvironment& environment() { return environment_; }

 private:
  absl::Status Run() override;
  absl::Status LoadInputs();
  bool OutputsAreFree();
  absl::Status RunInPlace();
  absl::Status RunToTemporaries();
  absl::Status RunInto(PlaceOutputFn place);
  absl::Status RunProgram(PlaceOutputFn place);

  const ProgramContextParts parts_;
  StreamsExecutor::Stream& stream_;
  KernelEnvironment reference_;
  RunEnvironment environment_;
  StepClock clock_;
  ProgramState own_state_;
  std::vector<Tensor> loaded_;  // the inputs of the inference that runs
  std::vector<Tensor> placed_;  // and its outputs
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_PROGRAM_CONTEXT_H_
