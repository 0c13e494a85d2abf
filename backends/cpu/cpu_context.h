// One inference at a time of the CPU.
#ifndef DOVETAIL_BACKENDS_CPU_CPU_CONTEXT_H_
#define DOVETAIL_BACKENDS_CPU_CPU_CONTEXT_H_

#include <atomic>
#include <vector>

#include "dovetail/backends/common/context_variables.h"
#include "dovetail/backends/cpu/cpu_executable.h"
#include "dovetail/backends/cpu/plan/step_clock.h"
#include "dovetail/core/executor/streams_executor.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/port_tensors.h"

namespace dovetail::cpu {

class CpuContext : public ExecutionContext {
 public:
  // Both outlive the context.
  CpuContext(const CpuExecutable& executable, StreamsExecutor::Stream& stream);

  absl::Status SetInput(int i, const Tensor& tensor) override {
    return inputs_.Set(i, tensor);
  }
  absl::Status SetOutput(int i, const Tensor& tensor) override {
    return outputs_.Set(i, tensor);
  }
  absl::StatusOr<Tensor> Input(int i) override { return inputs_.Get(i); }
  absl::StatusOr<Tensor> Output(int i) override { return outputs_.Get(i); }

  absl::Span<const Stage> stages() override { return stages_; }
  void Begin() override { cancelled_.store(false); }
  void Cancel() override { cancelled_.store(true); }

  std::vector<ProfilingRecord> profiling() const override;
  std::vector<Variable> variables() const override {
    return variables_.List();
  }
  absl::Status SetVariable(absl::string_view id, const Tensor& value) override {
    return variables_.Set(id, value);
  }

 private:
  absl::Status Run();
  absl::Status LoadInputs();
  bool OutputsAreFree();
  absl::Status RunInPlace();
  absl::Status RunAside();
  absl::Status CheckCancelled() const;

  const CpuExecutable& executable_;
  StreamsExecutor::Stream& stream_;
  PortTensors inputs_, outputs_;
  std::vector<Stage> stages_;
  std::atomic<bool> cancelled_ = false;

  ContextVariables variables_;
  KernelEnvironment reference_;
  RunEnvironment environment_;
  StepClock clock_;
  ProgramState state_;
  std::vector<Tensor> loaded_;  // the inputs of the inference that runs
  std::vector<Tensor> placed_;  // and its outputs
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_CPU_CONTEXT_H_
