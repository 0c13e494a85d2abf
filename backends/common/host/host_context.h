// The common part of contexts of backends that keep tensors in host memory and
// run an inference as one stage.
#ifndef DOVETAIL_BACKENDS_COMMON_HOST_HOST_CONTEXT_H_
#define DOVETAIL_BACKENDS_COMMON_HOST_HOST_CONTEXT_H_

#include <atomic>
#include <memory>
#include <vector>

#include "dovetail/backends/common/host/context_variables.h"
#include "dovetail/core/executor/executor.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"
#include "dovetail/core/plugin/ports/port_tensors.h"

namespace dovetail {

class HostContext : public ExecutionContext {
 public:
  absl::Span<const Stage> stages() override { return stages_; }
  void Begin(bool) override { cancelled_.store(false); }
  void End(const absl::Status& status) override {
    if (status.ok()) variables_.Commit();
  }
  void Cancel() override { cancelled_.store(true); }

  std::vector<Variable> variables() const override { return variables_.List(); }
  absl::Status SetVariable(absl::string_view id, const Tensor& value) override {
    return variables_.Set(id, value);
  }

 protected:
  // All outlive the context. The inference runs in `executor`, or, with
  // EXCLUSIVE_ASYNC_REQUESTS, where all of that device's take turns.
  HostContext(absl::string_view device, const Executable& executable,
              Executor& executor, const std::vector<VariableInfo>& variables,
              const VariableTypes& variable_types);

  // Computes the outputs. What it writes to variables holds when the whole
  // inference has succeeded.
  virtual absl::Status Run() = 0;

  // kCancelled when the running inference is to end. Asked between two layers,
  // where inferences that wait for a processor may go on first.
  absl::Status CheckCancelled() const;

  // What kernels read and write while an inference runs.
  VariableValues* running_variables() { return variables_.running(); }

 private:
  absl::Status RunCaught();

  ContextVariables variables_;
  const std::shared_ptr<Executor> exclusive_;  // null: none
  const std::vector<Stage> stages_;
  std::atomic<bool> cancelled_ = false;
};

// Adds a record for each layer that went into others, unless there is one of
// its name.
void AddOptimizedOut(const std::vector<LayerName>& layers,
                     std::vector<ProfilingRecord>& records);

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_HOST_HOST_CONTEXT_H_
