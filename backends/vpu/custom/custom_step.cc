#include "dovetail/backends/vpu/custom/custom_step.h"

#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "dovetail/backends/common/compiler/plain_operands.h"
#include "dovetail/backends/common/steps/step.h"
#include "dovetail/backends/vpu/custom/resolve.h"
#include "dovetail/backends/vpu/custom/shave/shave_launch.h"
#include "dovetail/backends/vpu/custom/shave/shave_program.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/tensor/tensor.h"

namespace dovetail::vpu {
namespace {

using SharedStages = std::shared_ptr<const std::vector<ShaveStage>>;

// Made at the first run, as errors of the driver are an inference's.
struct CustomState : public StepState {
  std::unique_ptr<ShaveLaunch> launch;
};

class CustomStep : public Step {
 public:
  CustomStep(std::string layer, SharedStages stages, int64_t watchdog_ms)
      : layer_(std::move(layer)),
        stages_(std::move(stages)),
        watchdog_ms_(watchdog_ms) {}

  std::unique_ptr<StepState> NewState() const override {
    return std::make_unique<CustomState>();
  }

  absl::Status Run(const StepRun& run) const override {
    return Annotate(Launch(run), layer_);
  }

 private:
  absl::Status Launch(const StepRun& run) const {
    auto& launch = static_cast<CustomState&>(*run.state).launch;
    if (launch == nullptr) {
      DOVETAIL_ASSIGN_OR_RETURN(launch, ShaveLaunch::New(*stages_));
    }
    return launch->Run(run.inputs, run.outputs, watchdog_ms_);
  }

  const std::string layer_;
  const SharedStages stages_;
  const int64_t watchdog_ms_;
};

absl::Status CheckOutputs(const ShaveLayer& layer, const Node& node) {
  for (int i = 0; i < node.output_count(); ++i) {
    const auto fills = [&](const ShaveKernel& kernel) {
      return absl::c_any_of(kernel.arguments, [&](const ShaveArgument& one) {
        return one.kind == ShaveArgument::Kind::kOutput && one.port == i;
      });
    };
    if (node.port(i).uses.empty() || absl::c_any_of(layer.kernels, fills)) {
      continue;
    }
    return InvalidArgument(layer.where, ": custom layer '", layer.name,
                           "': no <Tensor> fills output ", i,
                           ", which other layers read");
  }
  return absl::OkStatus();
}

absl::StatusOr<ShaveStage> StageOf(const ShaveKernel& kernel,
                                   const Node& node) {
  ShaveStage stage;
  stage.name = absl::StrCat(kernel.where, ": kernel ", kernel.entry);
  stage.entry = kernel.entry;
  stage.max_shaves = kernel.max_shaves;
  auto program = ShaveProgram::Build(kernel);
  if (!program.ok()) return Annotate(program.status(), stage.name);
  stage.program = *std::move(program);
  DOVETAIL_ASSIGN_OR_RETURN(stage.kernel,
                            Resolve(kernel, stage.program->parameters(), node));
  return stage;
}

// Memory of the inputs or outputs of a node.
class Values {
 public:
  absl::Status Add(const PartialShape& partial, ElementType type) {
    DOVETAIL_ASSIGN_OR_RETURN(const Shape shape, partial.ToShape());
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor, Tensor::Allocate(type, shape));
    memory_.push_back(tensor.mutable_raw_data());
    tensors_.push_back(std::move(tensor));
    return absl::OkStatus();
  }
  // Kernels only read it.
  void Add(const void* constant) {
    memory_.push_back(const_cast<void*>(constant));
  }
  absl::Span<void* const> memory() const { return memory_; }

 private:
  std::vector<Tensor> tensors_;
  std::vector<void*> memory_;
};

class OpenClKernels : public CustomKernels {
 public:
  explicit OpenClKernels(SharedStages stages) : stages_(std::move(stages)) {}

  absl::StatusOr<std::optional<std::vector<CustomWork>>> Count(
      const Node& node, int64_t watchdog_ms) const override {
    Values inputs, outputs;
    for (const Value& value : node.inputs()) {
      const Tensor* const constant =
          value ? PlanBuilderBase::ConstantOf(value) : nullptr;
      if (!value || constant != nullptr) {
        inputs.Add(value ? constant->raw_data() : nullptr);
        continue;
      }
      DOVETAIL_RETURN_IF_ERROR(inputs.Add(value.shape(), value.type()));
    }
    for (int i = 0; i < node.output_count(); ++i) {
      DOVETAIL_RETURN_IF_ERROR(
          outputs.Add(node.port(i).shape, node.port(i).type));
    }
    DOVETAIL_ASSIGN_OR_RETURN(const std::unique_ptr<ShaveLaunch> launch,
                              ShaveLaunch::New(*stages_));
    const absl::Status status =
        launch->Run(inputs.memory(), outputs.memory(), watchdog_ms);
    std::vector<CustomWork> works;
    for (const ShaveStage& stage : *stages_) {
      works.push_back(
          {stage.entry, stage.max_shaves, launch->Counts(works.size())});
    }
    // It may do better with values that are not all zero.
    if (absl::IsDeadlineExceeded(status) || absl::IsInvalidArgument(status)) {
      return std::nullopt;
    }
    DOVETAIL_RETURN_IF_ERROR(status);
    return works;
  }

  absl::Status AddStep(const Node& node, absl::string_view kernel,
                       int64_t watchdog_ms,
                       PlanBuilderBase& builder) const override {
    DOVETAIL_ASSIGN_OR_RETURN(const PlainOperands operands,
                              PlainOperandsOf(node, builder));
    builder.Add(
        node, kernel,
        std::make_unique<CustomStep>(node.Describe(), stages_, watchdog_ms),
        operands.inputs, operands.outputs);
    return absl::OkStatus();
  }

 private:
  const SharedStages stages_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const CustomKernels>> CustomKernels::Compile(
    const ShaveLayer& layer, const Node& node) {
  DOVETAIL_RETURN_IF_ERROR(CheckOutputs(layer, node));
  auto stages = std::make_shared<std::vector<ShaveStage>>();
  for (const ShaveKernel& one : layer.kernels) {
    DOVETAIL_ASSIGN_OR_RETURN(ShaveStage stage, StageOf(one, node));
    stages->push_back(std::move(stage));
  }
  return std::make_shared<const OpenClKernels>(std::move(stages));
}

}  // namespace dovetail::vpu
