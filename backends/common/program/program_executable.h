// A compiled model that is a Program, run by streams of host threads.
#ifndef DOVETAIL_BACKENDS_COMMON_PROGRAM_PROGRAM_EXECUTABLE_H_
#define DOVETAIL_BACKENDS_COMMON_PROGRAM_PROGRAM_EXECUTABLE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "dovetail/backends/common/host/context_variables.h"
#include "dovetail/backends/common/host/host_streams.h"
#include "dovetail/backends/common/program/program.h"
#include "dovetail/backends/common/program/state_pool.h"
#include "dovetail/core/plugin/lowered/lowered_model.h"
#include "dovetail/core/plugin/plugin.h"

namespace dovetail {

struct ProgramContextParts;

// A device derives its own, which sets the program before it is used.
class ProgramExecutable : public Executable {
 public:
  const Model* runtime_model() const override { return model_.get(); }
  // As of DescribeNode.
  ExecutionInfo execution_info(const Node& node) const override;
  absl::StatusOr<std::unique_ptr<ExecutionContext>> NewContext() const override;
  absl::StatusOr<std::string> GetMetric(absl::string_view name) const override;

  const Program& program() const { return *program_; }
  const std::vector<VariableInfo>& variables() const { return variables_; }

 protected:
  // `device` is of a constant; `config` the one in force.
  ProgramExecutable(absl::string_view device, LoweredModel lowered,
                    const PluginCall& call, Config config);

  const std::shared_ptr<const Model>& model() const { return model_; }
  const HostStreams& streams() const { return streams_; }
  ProgramContextParts context_parts() const;
  const std::vector<LayerName>& optimized_out() const { return optimized_out_; }
  void set_program(std::unique_ptr<Program> program) {
    program_ = std::move(program);
  }
  // Whether denormal numbers count as zeros in inferences; else they are
  // computed. Before the first context.
  void set_denormals_as_zeros(bool zeros) { denormals_as_zeros_ = zeros; }
  // Has contexts of a stream share states; else each has its own. For devices
  // whose runs are over when they return. Before the first context.
  void set_shares_states(bool shares) { shares_states_ = shares; }

 private:
  const absl::string_view device_;
  const std::vector<VariableInfo> variables_;
  const std::vector<LayerName> optimized_out_;
  const std::shared_ptr<const Model> model_;
  const VariableTypes variable_types_;
  const HostStreams streams_;
  std::unique_ptr<Program> program_;
  bool denormals_as_zeros_ = false;
  bool shares_states_ = false;
  mutable ProgramStatePool states_;
};

}  // namespace dovetail

#endif  // DOVETAIL_BACKENDS_COMMON_PROGRAM_PROGRAM_EXECUTABLE_H_
