#include "dovetail/backends/gpu/steps/common/compare.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dovetail/backends/gpu/compiler/gpu_plan_compiler.h"
#include "dovetail/backends/gpu/driver/device_list.h"
#include "dovetail/backends/gpu/steps/table.h"
#include "dovetail/core/base/status.h"
#include "dovetail/core/executor/team/work_team.h"
#include "dovetail/core/reference/evaluate.h"
#include "dovetail/testing/graphs/random_model.h"

namespace dovetail::gpu {
namespace {

using Tensors = std::vector<Tensor>;

// A Clamp, whose limits no element reaches, gives blocks of channels.
absl::StatusOr<bool> EmitWithBlocks(const Node& node, PlanBuilder& builder) {
  const Value value = PlanBuilder::OutputOf(node);
  const Format format = {value.type(), Layout::kBlocked16};
  if (!node.Is("Clamp") ||
      !CanHaveLayout(PlanBuilder::ShapeOf(value), format.layout)) {
    return Emit(node, builder);
  }
  DOVETAIL_ASSIGN_OR_RETURN(const Operand blocks,
                            builder.Read(node.input(0), format));
  builder.View(value, blocks, 0, format);
  return true;
}

absl::StatusOr<Tensors> RunPlan(const StaticPlan& plan, const Tensors& inputs,
                                WorkTeam& team) {
  Tensors outputs;
  for (const PlanPort& port : plan.outputs()) {
    DOVETAIL_ASSIGN_OR_RETURN(Tensor tensor,
                              Tensor::Allocate(port.type, port.shape));
    outputs.push_back(std::move(tensor));
  }
  DOVETAIL_ASSIGN_OR_RETURN(const auto instance, plan.NewInstance());
  const KernelEnvironment reference;
  RunEnvironment environment(&team, &reference);
  for (int run = 0; run < 2; ++run) {
    DOVETAIL_RETURN_IF_ERROR(instance->Run(inputs, outputs, environment));
  }
  return outputs;
}

std::string KernelsOf(const StaticPlan& plan, const Model& model) {
  std::map<int64_t, std::string> kernels;
  for (const auto& node : model.nodes()) {
    const std::optional<ExecutionInfo> info = plan.Describe(*node);
    if (!info || info->kernel.empty() || info->order < 0) continue;
    kernels[info->order] = info->kernel;
  }
  return absl::StrJoin(
      kernels, ", ",
      [](std::string* text, const std::pair<int64_t, std::string>& kernel) {
        absl::StrAppend(text, kernel.second);
      });
}

absl::StatusOr<std::string> Compare(absl::string_view text, int lanes) {
  DOVETAIL_ASSIGN_OR_RETURN(Model parsed, ParseWithConstants(text));
  const auto model = std::make_shared<Model>(std::move(parsed));
  std::vector<Shape> shapes;
  for (const Node* parameter : model->parameters()) {
    DOVETAIL_ASSIGN_OR_RETURN(Shape shape, parameter->port().shape.ToShape());
    shapes.push_back(std::move(shape));
  }
  const Tensors inputs = RandomInputs(*model, shapes, 1);
  CompileSettings settings;
  DOVETAIL_ASSIGN_OR_RETURN(const auto devices, ListClDevices());
  settings.device = devices[0];
  settings.lanes.lanes = lanes;
  WorkTeam team(2);
  const auto compiler =
      GpuPlanCompiler::Create(std::move(settings), &EmitWithBlocks);
  DOVETAIL_ASSIGN_OR_RETURN(const std::shared_ptr<const StaticPlan> plan,
                            compiler->Compile(model, team));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensors got, RunPlan(*plan, inputs, team));
  DOVETAIL_ASSIGN_OR_RETURN(const Tensors want,
                            EvaluateModel(*model, inputs, {}));
  const std::string difference = FirstDifference(got, want, 1e-5);
  return difference.empty() ? KernelsOf(*plan, *model) : difference;
}

}  // namespace

bool HasDevice() {
  const auto devices = ListClDevices();
  return devices.ok() && !devices->empty();
}

std::string KernelsIfRight(absl::string_view model, int lanes) {
  const absl::StatusOr<std::string> kernels = Compare(model, lanes);
  return kernels.ok() ? *kernels : std::string(kernels.status().message());
}

}  // namespace dovetail::gpu
