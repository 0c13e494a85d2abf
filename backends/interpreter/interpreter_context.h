// One inference at a time of the interpreter.
#ifndef DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_CONTEXT_H_
#define DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_CONTEXT_H_

#include <vector>

#include "dovetail/backends/common/host/host_context.h"
#include "dovetail/backends/common/plan/step_clock.h"
#include "dovetail/backends/interpreter/interpreter_executable.h"
#include "dovetail/core/executor/pools/streams_executor.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Kernels write outputs into their final place where that is safe. Variables
// change only when an inference succeeds.
class InterpreterContext : public HostContext {
 public:
  // Both outlive the context.
  InterpreterContext(const InterpreterExecutable& executable,
                     StreamsExecutor::Stream& stream);

  std::vector<ProfilingRecord> profiling() const override;

 private:
  absl::Status Run() override;
  absl::Status RunSteps();
  absl::Status LoadInputs();
  absl::Status RunStep(const Schedule::Step& step);
  void DropTensors();
  absl::StatusOr<Tensor> AllocateFor(const Node& node, int output,
                                     ElementType type, const Shape& shape);
  // Whether an output's memory is also that of an input or another output.
  bool MemoryIsShared();
  absl::Status StoreOutputs();
  absl::Status StoreOutput(int i, const Tensor& value);

  const InterpreterExecutable& executable_;

  // While it runs.
  KernelEnvironment environment_;
  std::vector<Tensor> slots_;
  const Schedule::Step* step_ = nullptr;
  bool write_in_place_ = true;

  const bool timed_;
  StepClock clock_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_CONTEXT_H_
