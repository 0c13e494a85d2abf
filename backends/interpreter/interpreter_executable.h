// A compiled model of the interpreter: the lowered model and the order in which
// its nodes run.
#ifndef DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_EXECUTABLE_H_

#include <memory>
#include <string>
#include <vector>

#include "dovetail/backends/common/host/context_variables.h"
#include "dovetail/backends/common/host/host_streams.h"
#include "dovetail/backends/interpreter/schedule.h"
#include "dovetail/core/plugin/lowered/lowered_bytes.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

class InterpreterExecutable : public Executable {
 public:
  // Takes a model whose nodes are all supported.
  static absl::StatusOr<std::unique_ptr<Executable>> Create(
      LoweredModel lowered, const PluginCall& call);

  const Model* runtime_model() const override { return lowered_.model.get(); }
  ExecutionInfo execution_info(const Node& node) const override;
  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext() const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  absl::Status Export(BlobWriter& blob) const override;

  const LoweredModel& lowered() const { return lowered_; }
  const Schedule& schedule() const { return schedule_; }
  // The types that kernels keep variables in.
  const VariableTypes& variable_types() const { return variable_types_; }

 private:
  InterpreterExecutable(LoweredModel lowered, Schedule schedule,
                        const PluginCall& call);

  const LoweredModel lowered_;
  const Schedule schedule_;
  const VariableTypes variable_types_;
  const HostStreams streams_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_INTERPRETER_INTERPRETER_EXECUTABLE_H_
