// One inference at a time of the interpreter.
#ifndef DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_CONTEXT_H_
#define DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_CONTEXT_H_

#include <atomic>
#include <vector>

#include "dovetail/backends/common/context_variables.h"
#include "dovetail/backends/interpreter/interpreter_executable.h"
#include "dovetail/backends/interpreter/layer_clock.h"
#include "dovetail/core/executor/streams_executor.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/port_tensors.h"
#include "dovetail/core/reference/kernel.h"

namespace dovetail {

// Kernels write outputs into their final place where that is safe. Variables
// change only when an inference succeeds.
class InterpreterContext : public ExecutionContext {
 public:
  // Both outlive the context.
  InterpreterContext(const InterpreterExecutable& executable,
                     StreamsExecutor::Stream& stream);

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
  absl::Status CheckCancelled() const;

  const InterpreterExecutable& executable_;
  PortTensors inputs_, outputs_;
  std::vector<Stage> stages_;
  std::atomic<bool> cancelled_ = false;

  // While it runs.
  KernelEnvironment environment_;
  std::vector<Tensor> slots_;
  const Schedule::Step* step_ = nullptr;
  bool write_in_place_ = true;

  ContextVariables variables_;
  LayerClock clock_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_CONTEXT_H_
