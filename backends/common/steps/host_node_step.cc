#include "dovetail/backends/common/steps/host_node_step.h"

#include <utility>

#include "dovetail/backends/common/compiler/plain_operands.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/core/base/status.h"

namespace dovetail {
namespace {

class HostNodeState : public StepState {
 public:
  explicit HostNodeState(std::shared_ptr<HostNode::State> state)
      : state(std::move(state)) {}
  const std::shared_ptr<HostNode::State> state;
};

class HostNodeStep : public Step {
 public:
  HostNodeStep(const Node& node, const CompileBodyFn& compile_body)
      : node_(node, compile_body) {}

  std::unique_ptr<StepState> NewState() const override {
    return std::make_unique<HostNodeState>(node_.NewState());
  }

  absl::Status Run(const StepRun& run) const override {
    return node_.Run(run.inputs, run.outputs,
                     *static_cast<HostNodeState&>(*run.state).state,
                     *run.environment);
  }

 private:
  const HostNode node_;
};

}  // namespace

absl::Status AddHostNodeStep(const Node& node, absl::string_view kernel,
                             const CompileBodyFn& compile_body,
                             PlanBuilderBase& builder) {
  DOVETAIL_ASSIGN_OR_RETURN(const PlainOperands operands,
                            PlainOperandsOf(node, builder));
  builder.Add(node, kernel, std::make_unique<HostNodeStep>(node, compile_body),
              operands.inputs, operands.outputs);
  return absl::OkStatus();
}

}  // namespace dovetail
