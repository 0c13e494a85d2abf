// One inference at a time of the CPU.
#ifndef DOVETAIL_BACKENDS_CPU_CPU_CONTEXT_H_
#define DOVETAIL_BACKENDS_CPU_CPU_CONTEXT_H_

#include <vector>

#include "dovetail/backends/common/host/host_context.h"
#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/backends/cpu/cpu_executable.h"
#include "dovetail/core/executor/streams_executor.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail::cpu {

class CpuContext : public HostContext {
 public:
  // Both outlive the context.
  CpuContext(const CpuExecutable& executable, StreamsExecutor::Stream& stream);

  std::vector<ProfilingRecord> profiling() const override;

 private:
  absl::Status Run() override;
  absl::Status LoadInputs();
  bool OutputsAreFree();
  absl::Status RunInPlace();
  absl::Status RunToTemporaries();

  const CpuExecutable& executable_;
  StreamsExecutor::Stream& stream_;
  KernelEnvironment reference_;
  RunEnvironment environment_;
  StepClock clock_;
  ProgramState state_;
  std::vector<Tensor> loaded_;  // the inputs of the inference that runs
  std::vector<Tensor> placed_;  // and its outputs
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_CPU_CONTEXT_H_
