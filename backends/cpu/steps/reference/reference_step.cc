#include "dovetail/backends/cpu/steps/reference/reference_step.h"

#include <utility>
#include <vector>

#include "dovetail/backends/common/kernels/host_kernels.h"
#include "dovetail/backends/common/plan/step_label.h"
#include "dovetail/backends/common/program/host_node.h"
#include "dovetail/core/base/status.h"

namespace dovetail::cpu {
namespace {

class ReferenceState : public StepState {
 public:
  explicit ReferenceState(std::shared_ptr<HostNode::State> state)
      : state(std::move(state)) {}
  const std::shared_ptr<HostNode::State> state;
};

class ReferenceStep : public Step {
 public:
  ReferenceStep(const Node& node, const CompileBodyFn& compile_body)
      : node_(node, compile_body) {}

  std::unique_ptr<StepState> NewState() const override {
    return std::make_unique<ReferenceState>(node_.NewState());
  }

  absl::Status Run(const StepRun& run) const override {
    return node_.Run(run.inputs, run.outputs,
                     *static_cast<ReferenceState&>(*run.state).state,
                     *run.environment);
  }

 private:
  const HostNode node_;
};

}  // namespace

absl::Status EmitReference(const Node& node, PlanBuilder& builder) {
  std::vector<Operand> inputs, outputs;
  for (int i = 0; i < node.input_count(); ++i) {
    Operand operand;
    if (node.input(i)) {
      DOVETAIL_ASSIGN_OR_RETURN(operand, builder.ReadPlain(node.input(i)));
    }
    inputs.push_back(operand);
  }
  for (int i = 0; i < node.output_count(); ++i) {
    outputs.push_back(builder.WritePlain(PlanBuilder::OutputOf(node, i)));
  }
  builder.Add(
      node, HostKernelName(node, &FindHostKernel),
      std::make_unique<ReferenceStep>(node, builder.settings().compile_body),
      inputs, outputs);
  return absl::OkStatus();
}

}  // namespace dovetail::cpu
