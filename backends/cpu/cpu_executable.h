// A compiled model of the CPU.
#ifndef DOVETAIL_BACKENDS_CPU_CPU_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_CPU_CPU_EXECUTABLE_H_

#include <memory>
#include <string>

#include "dovetail/backends/common/context_variables.h"
#include "dovetail/core/plugin/lowered_bytes.h"
#include "dovetail/core/plugin/lowered_model.h"
#include "dovetail/backends/cpu/program/program.h"
#include "dovetail/core/executor/streams_executor.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail::cpu {

class CpuExecutable : public Executable {
 public:
  // Takes a model whose nodes are all supported.
  static absl::StatusOr<std::unique_ptr<Executable>> Create(
      LoweredModel lowered, const Config& config);

  const Model* runtime_model() const override { return model_.get(); }
  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext() const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;
  absl::Status Export(BlobWriter& blob) const override;

  const Program& program() const { return *program_; }
  const std::vector<VariableInfo>& variables() const { return variables_; }
  const VariableTypes& variable_types() const { return variable_types_; }
  const std::vector<LayerName>& optimized_out() const { return optimized_out_; }

 private:
  CpuExecutable(LoweredModel lowered, const Config& config);
  absl::Status Compile();

  const std::vector<VariableInfo> variables_;
  const std::vector<LayerName> optimized_out_;
  const std::shared_ptr<const Model> model_;
  const VariableTypes variable_types_;
  const std::shared_ptr<StreamsExecutor> streams_;
  std::unique_ptr<Program> program_;
};

}  // namespace dovetail::cpu

#endif  // DOVETAIL_BACKENDS_CPU_CPU_EXECUTABLE_H_
